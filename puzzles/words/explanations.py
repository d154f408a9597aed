"""Explain a solution in words, from its proved facts alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from burgrave.model.book import book_of
from burgrave.model.castle.final_uses import undecided
from burgrave.model.final import final_scoring
from burgrave.model.notation import write_move
from burgrave.model.position import Position
from burgrave.model.rule import Event
from burgrave.model.rules.castle.keeps import END_KEEP
from burgrave.model.rules.index import RULES
from burgrave.puzzles.questions.wording import (
    all_scored,
    brought,
    counted,
    fields,
    listed,
    noun,
    points,
    several,
    turn,
)
from burgrave.puzzles.study.puzzle import Lesson, Puzzle
from burgrave.puzzles.study.study import Other, Step, Study
from burgrave.puzzles.study.study import study as played_out
from burgrave.puzzles.themes import headline
from burgrave.puzzles.themes.majority import FARM
from burgrave.puzzles.words.differences import (
    Cause,
    Change,
    changes,
    denied,
    keeps_share,
    prevented,
    reason,
    served,
)
from burgrave.puzzles.words.other_answers import recounted, ruled
from burgrave.puzzles.words.theme_words import Idea, idea_of

NO_WORDS = Lesson()
"""No words of an author."""
MOST_RULES = 8
"""Rules that a puzzle names at most, those of the key first."""


def rules_of(study: Study) -> tuple[str, ...]:
    """Return the ids of the rules at work in an explanation, those of the key first."""
    events = [event for step in study.steps for event in step.events if event.points]
    events = [*study.key.events, *events, *_decisive(study)]
    if not any(event.rules for event in events) and study.final is not None:
        events = list(study.final.events)
    if not events:
        # A key that wins nothing, without a line to the end: what the tries win is at work.
        events = [event for other in study.others for event in other.step.events if event.points]
    found = dict.fromkeys(rule for event in events for rule in event.rules)
    return tuple(found)[:MOST_RULES]


def told(puzzle: Puzzle) -> str:
    """Return the outcome of an answer in words; every value comes from an engine.

    Args:
        puzzle: a puzzle of any question whose stored answer is right; one that asks whether a
            move is legal tells what speaks against it.

    """
    played = played_out(puzzle)
    if played is None:
        return recounted(puzzle)
    return explanation(played, puzzle.lesson)


def with_rules(puzzle: Puzzle) -> str:
    """Return the outcome of an answer with the text of each rule at work in it."""
    sentences = {rule.id: f"{rule.sentence.removesuffix('.')}." for rule in RULES}
    return " ".join((told(puzzle), *(sentences[rule] for rule in ruled(puzzle))))


def explanation(study: Study, lesson: Lesson = NO_WORDS) -> str:
    """Return the solution as a lesson in paragraphs.

    They tell what to notice, why the natural move fails, why the key works, the play after it, and
    what to remember. The other tries are told beside them, each once.

    Args:
        study: the solution.
        lesson: the author's words, which replace those for any position.

    """
    tempting = natural(study)
    paragraphs = (
        _notice(study, tempting, lesson),
        "" if tempting is None else _trap(study, tempting, lesson),
        *_key(study, tempting, lesson),
        f"To remember: {lesson.maxim or idea(study).maxim}",
    )
    return "\n".join(one for one in paragraphs if one)


def idea(study: Study) -> Idea:
    """Return the words for the idea of a solution."""
    return idea_of(headline(study), study, natural(study))


def reasons(study: Study) -> list[str]:
    """Return for each try why it fails; empty for the natural one, which the explanation refutes.

    Args:
        study: the solution of a question that a move answers.

    """
    tempting = natural(study)
    return ["" if one is tempting else refuted(study, one) for one in study.others]


def natural(study: Study) -> Other | None:
    """Return the try that tempts most: with the largest lead if the game ended after it.

    Where the points of this turn are asked for, they come first. Against several opponents the
    player's own score counts, and the opponent's where points are forced on him. The rules engine
    scores, for a hint must not wait for code to be compiled.
    """
    at_once = study.values == "points" and not study.to_the_end

    def tempting(other: Other) -> tuple[int, int, str]:
        player = served(study) if study.forcing else study.asker
        scores = _scores_if_over(other.step.after)
        rivals = [*scores[:player], *scores[player + 1 :]]
        alone = study.forcing or len(rivals) > 1
        lead = scores[player] if alone else scores[player] - rivals[0]
        seen = lead, other.step.gain(player)
        return *(seen[::-1] if at_once else seen), _move(other.step)

    return max(study.others, key=tempting, default=None)


def _scores_if_over(position: Position) -> tuple[int, ...]:
    """Return the scores if the game ended here; as they stand if final scoring is undecided."""
    ended = replace(position, order=(), bag=())
    if undecided(ended):
        return tuple(state.score for state in ended.players)
    return tuple(final_scoring(ended).scores)


def refuted(study: Study, other: Other) -> str:
    """Return in words what a try wins at once, the reply to it, the reason and the end."""
    at_once = _at_once(study, other.step)
    return f"{at_once} {_answered(study, other)}".strip()


def _at_once(study: Study, step: Step) -> str:
    """Return what a first move wins at once for whom the value counts; empty if nothing."""
    gain = step.gain(served(study) if study.forcing else study.asker)
    if gain <= 0:
        return ""
    if study.forcing:
        return f"It gives {_name(study, served(study))} {points(gain)} at once."
    return f"It wins {points(gain)} at once."


def _answered(study: Study, other: Other, trap: str = "") -> str:
    """Return the reply to a try, the reason why it is worse, and the end.

    Args:
        study: the solution.
        other: the try.
        trap: the reason in the author's words; empty for the one that the lines tell.

    """
    name, parts, lost = _name(study, served(study)), list[str](), study.value - other.value
    why = trap or _because(study, other)
    if not study.to_the_end:
        return f"{why} The turn is worth {points(lost)} less.".strip()
    if study.values == "mean":
        return f"{trap} On average {name} {_ending(study, other.value)}.".strip()
    if study.values == "points" and len(other.steps) == 1:
        return f"{trap} No line after it brings more than {points(other.value)}.".strip()
    # A helped line is told whole; against a player his reply decides.
    for step in other.steps[1 : 2 if study.opposed else None]:
        won = step.gain(step.mover)
        wins = f" and wins {points(won)}" if won > 0 else ""
        parts.append(f"{_name(study, step.mover)} then {_turn(step)}{wins}.")
    parts += [why, f"{name} {_ending(study, other.value)}."]
    return " ".join(part for part in parts if part)


def _because(study: Study, other: Other) -> str:
    """Return the reason why a try is worse, as a sentence; empty if the lines tell none."""
    found = reason(study, other)
    if found is None:
        return ""
    change, asker = found.change, _name(study, study.asker)
    rival = _name(study, change.player if change.player != study.asker else study.rival)
    if found.cause is Cause.SPENT:
        return f"{asker} then has no follower for {change.thing}, worth {change.event.points}."
    if found.cause is Cause.SHARED:
        share = "has a share in" if keeps_share(study, other, change) else "alone scores"
        return f"So {rival} {share} {change.thing}."
    if found.cause is Cause.CAPTURED:
        return f"The follower is a prisoner and scores nothing for {asker}."
    if found.cause is Cause.PLACE:
        return f"That takes the cell {found.cell}, which {asker} needs."
    handed = found.cause is Cause.HANDED
    who = rival if handed else _name(study, change.player)
    told = f"{who} gets {points(abs(change.points))} {'more' if handed else 'less'}"
    back = abs(change.points) - (study.value - other.value)
    besides = ""
    if study.values in {"lead", "points"} and back:
        others = [one for one in changes(study, other) if one != change]
        alone = len(others) == 1
        things, s = (others[0].thing, "s") if alone else ("other things", "")
        made = f"make{s} up for {back} of them" if back > 0 else f"cost{s} {-back} more"
        besides = f"; {things} {made}"
    return f"{told} for {change.thing} than after the key{besides}."


def _name(study: Study, player: int) -> str:
    """Return the name of a player."""
    return study.position.game.name(player)


def _notice(study: Study, tempting: Other | None, lesson: Lesson) -> str:
    """Return how the game stands, who is short of followers, and what is at stake."""
    now = _if_over(study, study.position)
    parts = [lesson.notice] if lesson.notice else []
    parts += [f"If the game ended now, {now}."] if study.final is not None and now else []
    if lesson.notice:
        return " ".join(parts)
    parts += _followers(study)
    found = [] if tempting is None else changes(study, tempting)
    things = [*dict.fromkeys(one.thing for one in found)][:2]
    if things:
        parts.append(f"At stake {'are' if len(things) > 1 else 'is'} {listed(things)}.")
    return " ".join(parts)


def _followers(study: Study) -> Iterator[str]:
    """Yield who is short of followers."""
    left = [
        state.supply + len(state.specials) + state.fresh_followers
        for state in study.position.players
    ]
    if study.final is None or min(left) > 1:
        return
    if len({*left}) == 1:
        each = "Each side has one follower left." if left[0] else "Nobody has a follower left."
        yield each
        return
    for player, number in enumerate(left):
        if number <= 1:
            yield f"{_name(study, player)} has {counted(number, 'follower')} left."


def _if_over(study: Study, position: Position) -> str:
    """Return in words how the game would end here for whom it counts; empty if undecided."""
    if undecided(replace(position, order=(), bag=())):
        return ""
    scores, player = _scores_if_over(position), served(study)
    name = _name(study, player)
    if study.values == "points":
        return f"{name} would have {points(scores[player])}"
    lead = scores[player] - max(scores[:player] + scores[player + 1 :])
    return f"{name} would be {_standing(Fraction(lead))}"


def _trap(study: Study, other: Other, lesson: Lesson) -> str:
    """Return the natural move with what tempts to it and its refutation."""
    told = f"The natural move: {_name(study, study.asker)} {_turn(other.step)}."
    if at_once := _at_once(study, other.step):
        told += f" {at_once}"
    lead = "" if other.step.after.over else _if_over(study, other.step.after)
    if study.final is not None and lead and lead != _if_over(study, study.position):
        told += f" If the game ended then, {lead}."
    return f"{told} {_answered(study, other, lesson.trap)}"


def _ending(study: Study, value: Fraction) -> str:
    """Return the end of the game after a try in words, beside that of the solution."""
    if study.values == "result":
        return "loses" if value < 0 else "draws"  # a try that wins is no worse
    if study.values == "points":
        return f"ends with {points(value)} instead of {study.value}"
    alike = value * study.value > 0
    best = f"{float(abs(study.value)):g}" if alike else _standing(study.value)
    return f"ends {_standing(value)} instead of {best}"


def _standing(lead: Fraction) -> str:
    """Return a lead in words."""
    if not lead:
        return "level"
    return f"{points(abs(lead))} {'ahead' if lead > 0 else 'behind'}"


def _key(study: Study, tempting: Other | None, lesson: Lesson) -> Iterator[str]:
    """Yield the key with its effect, then the play after it, the end, and the gain over a try."""
    step = study.key
    parts = [f"The key: {_name(study, study.asker)} {_turn(step)}."]
    if study.values == "mean":
        parts.append(f"On average {_name(study, study.asker)} ends {_standing(study.value)}.")
    parts += brought(step.before, step.events)
    stopped = prevented(study, tempting) if tempting is not None and study.opposed else None
    if stopped is not None and stopped.move.cell is not None:
        rival = _name(study, stopped.mover)
        taken = stopped.move.cell == step.move.cell
        parts.append(
            f"It takes this cell before {rival} does."
            if taken
            else f"It rules out {rival}'s {denied(study, stopped)}."
        )
    parts += [lesson.key] if lesson.key else []
    if len(study.steps) > 1:
        yield " ".join(parts)
        parts = ["The play:"]
    for number, later in enumerate(study.steps[1:]):
        parts.append(f"{_name(study, later.mover)} {'then ' if number else ''}{_turn(later)}.")
        parts += brought(later.before, later.events)
    parts += _end(study)
    if tempting is not None:
        parts += _balance(study, tempting)
    yield " ".join(parts)


def _end(study: Study) -> Iterator[str]:
    """Yield what final scoring brings by these turns, and the totals."""
    if study.final is None:
        return
    decisive = _decisive(study)
    for at, told in enumerate(all_scored(study.position, decisive)):
        yield f"{'' if at else 'At the end '}{told}."
    rest = [0] * len(study.final.scores)
    for event in study.final.events:
        if event.player is not None and event not in decisive:
            rest[event.player] += event.points
    if any(rest):
        # Without it the points that are told do not add up to the totals.
        paid = [f"{_name(study, player)} {won}" for player, won in enumerate(rest) if won]
        yield f"What stood on the board before brings {listed(paid)} more."
    totals = ", ".join(
        f"{_name(study, player)} {score}" for player, score in enumerate(study.final.scores)
    )
    yield f"The game ends {totals}."


SHOWN = 4
"""Differences that a sentence names at most; the others are summed up."""
LONG = 25
"""Words of a clause about one player at most."""
INSTEAD = " instead of the one "
"""Stands between the thing that a player has and its like that he misses for it."""


def _balance(study: Study, tempting: Other) -> Iterator[str]:
    """Yield what the key gains on the natural move, and what it costs."""
    found, own = weighed(study, tempting), served(study)
    good = [one for one in found if (one.points > 0) is (one.player == own)]
    bad = [one for one in found if one not in good]
    if good:
        yield f"Compared with the natural move, {_sum(study, good, 'add')}."
    if bad:
        yield f"In return {_sum(study, bad, 'cost')}."


def weighed(study: Study, tempting: Other) -> list[Change]:
    """Return where the points of the solution and of a try differ, like things as one.

    The largest differences come first.
    """
    found = _netted(_grouped(changes(study, tempting)))
    return sorted(found, key=lambda one: -abs(one.points))


def _grouped(found: Sequence[Change]) -> list[Change]:
    """Return differences, largest first, with those of a player for his fields as one."""
    groups = dict[tuple[int, bool, str], list[Change]]()
    for one in found:
        farm = noun(one.event) == "field"
        key = (one.player, one.points > 0, "field" if farm else one.thing)
        groups.setdefault(key, []).append(one)
    whole = [
        group[0]._replace(
            points=sum(one.points for one in group),
            thing=fields([one.event for one in group])
            if kind == "field" and len(group) > 1
            else group[0].thing,
        )
        for (_, _, kind), group in groups.items()
    ]
    return sorted(whole, key=lambda one: -abs(one.points))


def _netted(found: Sequence[Change]) -> Iterator[Change]:
    """Yield differences, with a thing that a player has instead of another one of its kind as one.

    Where both pay alike there is no difference. The event is that of the one that pays more.
    """
    left = list(found)
    while left:
        one = left.pop(0)
        twin = next((late for late in left if _instead(one, late)), None)
        if twin is None:
            yield one
            continue
        left.remove(twin)
        had, missed = (one, twin) if one.points > 0 else (twin, one)
        place = missed.thing.removeprefix(f"the {noun(missed.event)} ")
        thing = f"{had.thing}{INSTEAD}{place}"
        if had.thing == missed.thing:  # two roads of one junction
            thing = several(had.thing, noun(had.event))
        net = had.points + missed.points
        if net:
            more = had if net > 0 else missed
            yield had._replace(points=net, thing=thing, event=more.event)


def _instead(one: Change, other: Change) -> bool:
    """Tell whether a player has one thing in the solution alone, its like after the try alone."""
    kind = noun(one.event)
    alike = one.player == other.player and kind == noun(other.event)
    whole = all(abs(part.points) == part.event.points for part in (one, other))
    even = one.points + other.points == 0
    named = all(part.thing.startswith(f"the {kind} ") for part in (one, other))
    fits = (whole and (even or named)) or (one.thing == other.thing and kind != "empty area")
    return alike and one.points * other.points < 0 and fits


def _sum(study: Study, found: Sequence[Change], verb: str) -> str:
    """Return differences as clauses, the largest ones by name.

    Args:
        study: the solution.
        found: the differences, all for the solution or all against it, largest first.
        verb: what the others do, ``add`` or ``cost``.

    """
    shown = min(SHOWN, len(found))
    while shown > 1 and any(len(one.split()) > LONG for one in _clauses(study, found[:shown])):
        shown -= 1
    rest = sum(abs(one.points) for one in found[shown:])
    more = [f"small things {verb} {points(rest)}"] if rest else []
    return "; ".join((*_clauses(study, found[:shown]), *more))


def _clauses(study: Study, found: Sequence[Change]) -> list[str]:
    """Return differences as a clause for each player; the first number is called points."""
    clauses, last = list[str](), ""
    for player in dict.fromkeys(one.player for one in found):
        told = list[str]()
        for one in (one for one in found if one.player == player):
            number = str(abs(one.points)) if last else points(abs(one.points))
            by = "with" if INSTEAD in one.thing else "for"
            told.append(f"{number} {by} {'it' if one.thing == last else one.thing}")
            last = one.thing
        gains = any(one.points > 0 for one in found if one.player == player)
        lost = "gives up" if player == served(study) else "loses"
        clauses.append(f"{_name(study, player)} {'gains' if gains else lost} {listed(told)}")
    return clauses


def _decisive(study: Study) -> list[Event]:
    """Return the points of final scoring on the laid tiles, for keeps and for tokens."""
    laid = {step.move.cell for step in study.steps}
    events = study.final.events if study.final is not None else ()
    # Points that the game would have brought without these turns are not their effect.
    before = final_scoring(replace(study.position, order=(), bag=())).events if events else ()
    old = {(event.rules, event.player, event.points, event.cells) for event in before}
    return [
        event
        for event in events
        if event.points
        and (event.rules, event.player, event.points, event.cells) not in old
        and (laid & set(event.cells) or _far_reaching(study, event))
    ]


def _far_reaching(study: Study, event: Event) -> bool:
    """Tell whether any tile may change the points of an event of final scoring."""
    tokens = book_of(study.position.game).token_end
    names = {END_KEEP.id} | ({tokens.id} if tokens is not None else set())
    return any(rule in names or rule.startswith(f"{FARM}.") for rule in event.rules)


def _move(step: Step) -> str:
    """Return the move of a turn in notation."""
    return write_move(step.before, step.move)


def _turn(step: Step) -> str:
    """Return a turn as a predicate."""
    return turn(step.before, step.move)
