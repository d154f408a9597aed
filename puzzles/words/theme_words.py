"""Words of a teacher for each theme: nouns for a title, a hint at the idea, and a maxim."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from burgrave.model.book import book_of
from burgrave.puzzles.questions.wording import noun
from burgrave.puzzles.study.study import Other, Study
from burgrave.puzzles.themes import COMMON
from burgrave.puzzles.words.differences import Cause, Reason, reason


class Idea(NamedTuple):
    """The words for one idea."""

    nouns: tuple[str, ...]
    """Names of what the play is about, for titles."""
    hint: str
    """A sentence that leads to the idea and names no move."""
    maxim: str
    """A sentence to remember."""


IDEAS: Mapping[str, Idea] = MappingProxyType(
    {
        "complete-for-most": Idea(
            ("A full basket", "The ripe fruit", "Points on the table"),
            "Compare the points of each completion.",
            "First count what each completion brings at once.",
        ),
        "patience": Idea(
            (
                "The long view",
                "Points that wait",
                "Tomorrow's points",
                "Look twice",
                "The second thought",
            ),
            "The most points at once are not the most points at the end.",
            "Before you take points, count what the move leaves to the opponent.",
        ),
        "exact-landing": Idea(
            ("The right space", "Counting spaces", "At the corner tower"),
            "Count the spaces to the next corner tower.",
            "A marker that stops exactly on a corner tower takes its wall tile.",
        ),
        "overshoot": Idea(
            ("One space too far", "Past the tower", "Too many steps"),
            "The larger score may carry the marker past the tower.",
            "A smaller score that lands on a tower can be worth more than a larger one.",
        ),
        "order-of-scoring": Idea(
            ("First things first", "Which comes first", "Two scores in order"),
            "You choose the order in which your features score.",
            "When two features score, try both orders on the track.",
        ),
        "fountain-doubling": Idea(
            ("The fountain path", "Water and stone", "A walk to the fountain"),
            "A fountain doubles its path.",
            "Look for fountains before you value a path.",
        ),
        "wall-tile-timing": Idea(
            ("A wall tile in hand", "The second wall tile", "When to spend it"),
            "A wall tile that is used now cannot be used later.",
            "Spend a wall tile where it doubles most, not where it doubles first.",
        ),
        "extra-turn": Idea(
            ("Two turns running", "Twice in a row", "The extra turn"),
            "One wall tile gives a second turn.",
            "Two turns in a row reach what one turn only prepares.",
        ),
        "merge-to-win": Idea(
            ("Two become one", "The joining tile", "A larger share"),
            "Two features of one kind can become one.",
            "A tile that joins two features also joins their followers. Count them afterwards.",
        ),
        "merge-to-tie": Idea(
            ("Shared ground", "No one alone", "An equal share"),
            "It is enough to draw level on a feature.",
            "A tie on a large feature is often worth more than a small feature of your own.",
        ),
        "steal-a-majority": Idea(
            ("A change of owner", "The stolen lead", "Somebody else's work"),
            "The opponent leads somewhere by one follower only.",
            "What one follower leads, two followers take.",
        ),
        "court-majority": Idea(
            ("The court", "Market stalls", "A stand at the market", "The open court"),
            "Courts score at the end of the game, without being completed.",
            "A court costs a follower to the end and pays for each market tile in it.",
        ),
        "farm-takeover": Idea(
            ("The field", "Other people's hay", "A gate into the field", "Neighbouring farms"),
            "Follow each field to its last corner, and count the farmers.",
            "A field belongs to most farmers at the end. A late farmer counts as much as an early"
            " one.",
        ),
        "keep-race": Idea(
            ("The larger house", "Two keeps", "Room for a keep", "Whose house?"),
            "Somebody scores the largest empty area. Whose house decides who?",
            "The larger keep wins the empty area, so one cell of a house can decide the game.",
        ),
        "starve-the-empty-area": Idea(
            ("The shrinking courtyard", "Empty ground", "Less for the winner"),
            "The size of the largest empty area is not fixed yet.",
            "If the empty area is lost, make it small.",
        ),
        "last-follower": Idea(
            (
                "The last follower",
                "One follower, two places",
                "Nobody left at home",
                "The only man",
                "One last post",
            ),
            "Only one follower is left. Where does he earn most?",
            "The last follower belongs where he earns most by the end, not where he stands first.",
        ),
        "return-in-time": Idea(
            ("Home and out again", "The quick return", "Back in time"),
            "A completed feature sends its follower home, and he can go out again.",
            "With few followers, a small completion first may pay twice.",
        ),
        "unplaceable-tile": Idea(
            ("A tile without a place", "The lost tile", "Nowhere to go"),
            "Not every tile to come need find a place.",
            "A cell that only one tile fits is a lock. Whoever fills it shuts that tile out.",
        ),
        "king-doubling": Idea(
            ("The king's presence", "A royal visit", "Where the king walks"),
            "The king doubles what he stands on.",
            "Place the king where a completion is near and large.",
        ),
        "aerie-race": Idea(
            ("The falcon's nest", "A token ahead", "The aeries"),
            "The empty area is scored for aerie tokens too.",
            "Count the aerie tokens before the last turns: one token can bring the whole area.",
        ),
        "chapel-timing": Idea(
            ("The chapel", "A roof for the chapel", "Prayers in time"),
            "A chapel pays when the ground around it is filled.",
            "A chapel brings most to whoever fills its last cell in time.",
        ),
        "tower-capture": Idea(
            ("Seen from the tower", "The long arm", "A prisoner"),
            "A tower reaches as far as it is high.",
            "A capture counts twice: a prisoner for you, and a feature without its owner.",
        ),
        "guard-protects": Idea(
            ("The guard", "A roof on the tower", "A tower closed"),
            "A tower with a follower on it grows no more.",
            "A guard on a dangerous tower saves everybody within its reach.",
        ),
        "ransom-in-time": Idea(
            ("The price of a follower", "Three points well spent", "The ransom"),
            "A prisoner can be bought back for three points.",
            "A ransom is cheap if the follower earns more than three points at once.",
        ),
        "exchange": Idea(
            ("Prisoners exchanged", "One for one", "The trade"),
            "Prisoners of both sides are exchanged at once.",
            "A capture also frees your own follower if the opponent holds one.",
        ),
        "rich-when-completed": Idea(
            ("The inn pays", "A feast at the inn", "Under the great roof"),
            "An inn or a cathedral pays whoever completes what it lies on.",
            "With an inn or a cathedral nothing matters but who completes it.",
        ),
        "worthless-uncompleted": Idea(
            ("A road to nowhere", "The unfinished roof", "No room at the inn"),
            "An inn or a cathedral on an opponent's feature is a gift, unless it stays open.",
            "What can no longer be completed is worth nothing with an inn or a cathedral on it.",
        ),
    }
)
"""The words for each theme."""
GIFT = Idea(
    ("A present", "The generous move"),
    "Points for the opponent may be worth their price.",
    "Points for the opponent are no loss if they bring you more.",
)
QUIET = Idea(
    ("A quiet turn", "The modest tile"),
    "Not every good move wins points or places a follower.",
    "A tile without a follower can take a place away from the opponent.",
)
REFUSAL = Idea(
    ("Not yet", "Points refused"),
    "What can be scored now need not be scored now.",
    "A completion that can wait keeps the tile free for something that cannot.",
)
SACRIFICE = Idea(
    ("The costly turn", "A fair price"),
    "The move with most points at once costs more than it wins.",
    "The largest score of a turn is worth nothing if the reply wins more.",
)
FORCED = Idea(
    ("A gift refused in vain", "Nowhere else to go", "No way round it", "Against his will"),
    "He must lay his tile where it fits. Which of his harmless places can you take away?",
    "Whoever must lay his tile must sometimes score. Take away the places where he would not.",
)
COUNTING = Idea(
    ("The last count", "A narrow balance", "To the last point", "Weighed and counted"),
    "Count the end of the game after your move and the best reply.",
    "Near the end, count final scoring for each move with its reply.",
)


CAUSES: Mapping[Cause, Idea] = MappingProxyType(
    {
        Cause.SPENT: Idea(
            ("One man too few", "The man who is missed", "Sent out too soon"),
            "There are more good places than followers.",
            "Match your followers with the tiles to come before you place one.",
        ),
        Cause.SHARED: Idea(
            ("Not yours alone", "An uninvited guest", "A share for the other side"),
            "Ask who can still reach what you count as yours.",
            "Points are yours only when nobody can join you any more.",
        ),
        Cause.CAPTURED: Idea(
            ("Within the tower's reach", "A post under guard", "Caught at once"),
            "A follower is worth nothing where a tower can reach him.",
            "Before you place a follower, look which towers reach his tile.",
        ),
        Cause.PLACE: Idea(
            ("The contested cell", "First come", "Both want it"),
            "One empty cell is worth something to both players.",
            "A cell that both players want belongs to whoever lays there first.",
        ),
        Cause.HANDED: Idea(
            ("The other side's tile", "What the answer brings", "A look across the table"),
            "Ask what the opponent's next tile would bring him.",
            "Judge a move by the answer that it allows, not by its own points alone.",
        ),
        Cause.MISSED: Idea(
            ("The slower road", "More in the end", "The patient choice"),
            "Two places compete for your turn. Follow both to the end of the game.",
            "Compare what each move brings by the end, not what it shows at once.",
        ),
    }
)
"""The words for each reason why the natural move fails."""


THINGS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "field": (
            "Ask what a farmer would earn by the end.",
            "A farmer earns nothing now. At the end he is paid for completed cities: count them.",
        ),
        "city": (
            "One city decides. Which of the tiles to come still fit it?",
            "An uncompleted city pays half. Ask which tile completes it, and who holds that tile.",
        ),
        "road": (
            "Count the tiles of the roads as they lie at the end.",
            "A road pays a point a tile, completed or not. Its length is what counts.",
        ),
        "cloister": (
            "Count the tiles round each cell that a cloister could take.",
            "A cloister pays for its neighbours, completed or not. Its best cell is the fullest.",
        ),
        "court": (
            "Ask which court a merchant can still enter.",
            "A court pays at the end alone, so its merchant must not be needed again.",
        ),
        "empty area": (
            "The largest empty area outweighs all else. Who scores it?",
            "Settle who scores the empty area first. Then count the small things.",
        ),
        "wall tile": (
            "Ask what each wall tile in hand would pay at the end.",
            "A wall tile pays for what is left uncompleted. Leave it something.",
        ),
    }
)
"""A hint and a maxim for the thing that decides, where the reason is points alone."""
WITH_MARKS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "city": (
            "One city decides. Has it a cathedral, and which of the tiles to come still fit it?",
            "An uncompleted city pays half, with a cathedral nothing. Ask who can complete it.",
        ),
        "road": (
            "Count the tiles of the roads as they lie at the end, and look for inns.",
            "A road pays a point a tile. With an inn it pays two if completed, and else nothing.",
        ),
    }
)
"""The same in games whose roads and cities pay otherwise with a mark: an inn, a cathedral."""
COMPLETED = (
    "One feature must be completed to pay. Which tile does it?",
    "In a castle a path, a house or a tower pays only when it is completed.",
)
"""The same for things that pay nothing uncompleted."""
TOGETHER = Idea(
    ("Two tiles as one", "Hand in hand", "The joint work"),
    "Nobody works against you. Which tiles pay more together than apart?",
    "Where nobody resists, look for turns that pay more together than each by itself.",
)


def idea_of(theme: str | None, study: Study, natural: Other | None) -> Idea:
    """Return the words for a solution.

    Args:
        theme: its headline theme; None if it shows none.
        study: the solution.
        natural: its most natural wrong move, if it has one.

    """
    if study.forcing:
        return FORCED
    found = None if natural is None else reason(study, natural)
    if not study.opposed and len(study.steps) > 1 and theme in {None, *COMMON}:
        maxim = TOGETHER.maxim if found is None else _of_thing(study, found)[1]
        nouns = TOGETHER.nouns if theme is None else IDEAS[theme].nouns
        return Idea(nouns, TOGETHER.hint, maxim)
    if theme is not None and (theme not in COMMON or found is None):
        return IDEAS[theme]
    key, asker = study.key, study.asker
    others = [player for player in range(len(study.position.players)) if player != asker]
    if any(key.gain(player) > 0 for player in others):
        return GIFT
    if found is not None:
        # A common theme keeps its titles; the reason tells more than its maxim.
        nouns = CAUSES[found.cause].nouns if theme is None else IDEAS[theme].nouns
        if found.cause is Cause.MISSED:
            return Idea(nouns, *_of_thing(study, found))
        return CAUSES[found.cause]._replace(nouns=nouns)
    if natural is not None and natural.step.gain(asker) > key.gain(asker):
        return SACRIFICE if key.gain(asker) else REFUSAL
    if not key.gain(asker) and not key.move.followers and len(study.steps) > 1:
        return QUIET
    return COUNTING


def _of_thing(study: Study, found: Reason) -> tuple[str, str]:
    """Return a hint and a maxim for the thing that decides."""
    game, thing = study.position.game, noun(found.change.event)
    marked = {str(kind) for kind, worth in book_of(game).table(game).items() if worth.by}
    told = WITH_MARKS.get(thing) if thing in marked else None
    return told or THINGS.get(thing, COMPLETED)
