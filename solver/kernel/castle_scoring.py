"""Aerie tokens, and final scoring of The Castle, with The Falcon or without.

Without tokens a player's wall tiles do not change the opponent's points, so that each player takes
most points. With The Falcon wall tiles 4 to 6 bring tokens, and tokens can win the empty area.
The players then choose as in a small game: first the player of the last turn, then the other in
reply. Each maximises his lead, then his points. The player of the last turn takes tokens first.
"""

from __future__ import annotations

from typing import Any

from burgrave.model.castle.final_uses import KEEP_TILE, POINTS_TILE
from burgrave.model.rules.castle.final_tiles import TILE_9
from burgrave.model.rules.castle.keeps import A_MARKET, KEEP_BONUS
from burgrave.solver.kernel.bits import bit_count
from burgrave.solver.kernel.boards import find
from burgrave.solver.kernel.castle_board import is_closed, largest_area, walls_in
from burgrave.solver.kernel.castle_plans import falconry, royal, stands_on, worth
from burgrave.solver.kernel.castle_state import CHOICES, FALCONER, KING
from burgrave.solver.kernel.castle_tables import COURT, HOUSE, MEN, PATH
from burgrave.solver.kernel.compiling import compiled, inner

FIRST_TILE = 4
"""Number of the wall tile for paths; the next three are for towers, houses and courts."""
POINTS_OF_A_NINE = TILE_9()
"""Points for each wall tile 9."""
EVERY_KIND = (1 << COURT) - 1
"""Paths, towers and houses, as bits."""
LEAST = -(1 << 60)
SCRATCH = 2
"""Index of the choices in progress; 0 and 1 are the players' choices."""
TokensHeld = tuple[int, int, int, int]
"""White's tokens, Black's tokens, and the aeries that bring no more, a set of two words."""


@compiled
def totals(s: Any, t: Any, out: Any) -> None:
    """Write each player's total, with wall tiles used for the best lead; no tile is to come."""
    now = s.now
    counted = held_kinds(s, 0), held_kinds(s, 1)
    _hold(s, t, counted[0] | counted[1] | 1 << COURT)
    white = int(now.score[0]) + _certain(s, t, 0)
    black = int(now.score[1]) + _certain(s, t, 1)
    keeps = keep_of(s, t, 0) - keep_of(s, t, 1)
    area = largest_area(s, t) if keeps or t.falcon else 0
    if keeps > 0:
        white += area
    elif keeps < 0:
        black += area
    if t.falcon:
        white, black = _played(s, t, white, black, area)
    else:
        for kind in range(COURT):
            if s.ends and counted[0] >> kind & 1:
                white += most_and_least(s, t, 0, kind)[0]
            if s.ends and counted[1] >> kind & 1:
                black += most_and_least(s, t, 1, kind)[0]
    out[0] = white
    out[1] = black


@inner
def _tiles(s: Any, t: Any, player: int, number: int) -> int:
    """Return the number of a player's wall tiles of one number usable at the end."""
    late = int(s.now.fresh_hand[player, number]) if t.last_turn_tiles else 0
    return int(s.now.hand[player, number]) + late


@inner
def keep_of(s: Any, t: Any, player: int) -> int:
    """Return the size of a player's keep, wall tiles 8 included."""
    keep = int(s.now.keep[player])
    if t.bonus_needs_keep and not keep:
        return 0
    tiles = _tiles(s, t, player, KEEP_TILE)
    return keep + KEEP_BONUS * (tiles if t.bonus_stacks else min(tiles, 1))


@inner
def has_tile(s: Any, player: int, number: int) -> bool:
    """Tell whether a player holds a wall tile, usable now or next turn."""
    return bool(s.now.hand[player, number] + s.now.fresh_hand[player, number] > 0)


@inner
def held_kinds(s: Any, player: int) -> int:
    """Return the kinds of features, except courts, for which a player has a wall tile, as bits."""
    kinds = 0
    for kind in range(COURT):
        if has_tile(s, player, FIRST_TILE + kind):
            kinds |= 1 << kind
    return kinds


@inner
def kinds_to_take(s: Any, t: Any) -> int:
    """Return the kinds of features for which a tower may hold a wall tile; see ``held_kinds``."""
    kinds = 0
    for tower in range(t.towers):
        number = int(s.now.tower[tower])
        if number == 0:
            # A wall tile nobody has seen may have any number.
            return EVERY_KIND
        if FIRST_TILE <= number < FIRST_TILE + COURT:
            kinds |= 1 << number - FIRST_TILE
    return kinds


@inner
def _hold(s: Any, t: Any, counted: int) -> None:
    """Write the held features that may count to ``s.end``; ``counted`` has their kinds as bits."""
    s.ends = 0
    for player in range(2):
        for post in range(MEN):
            node = int(s.now.post[player, post])
            if node >= 0 and counted >> s.kind[node] & 1:
                _note_end(s, t, find(s, node))
        for rank in (FALCONER, KING):
            node = int(s.now.special[player, rank]) if t.falcon else -1
            if node >= 0 and counted >> s.kind[node] & 1:
                _note_end(s, t, find(s, node))


@inner
def _note_end(s: Any, t: Any, root: int) -> None:
    """Add a feature to ``s.end``, unless it is there or brings no points."""
    men = int(s.feature[root].men)
    white, black, kind = men & 255, men >> 8, int(s.kind[root])
    winner = 1 if white < black else 0
    if white == black:
        return
    if kind != COURT:
        if not _tiles(s, t, winner, FIRST_TILE + kind):
            return
        if is_closed(s, root) and not (
            t.holes_block and walls_in(s, t, root, s.empty[0], s.empty[1])
        ):
            return
    for index in range(s.ends):
        if s.end[index].root == root:
            return
    end = s.end[s.ends]
    s.ends += 1
    end.root = root
    end.kind = kind
    end.winner = winner
    end.tokens = 0
    if kind == COURT:
        _put_court(s, t, end, root, winner)
    else:
        factor = royal(s, t, root, winner) if t.falcon and t.on_wall_scored else 1
        end.points = 0
        end.tile = worth(s, t, root) * factor
        if t.falcon and t.on_wall_scored:
            end.tokens = falconry(s, t, root, winner)
    for word in range(2):
        end.aeries[word] = s.feature[root].aeries[word] if t.any_scoring else 0


@inner
def _put_court(s: Any, t: Any, end: Any, root: int, winner: int) -> None:
    """Write a court's points and tokens for its holder."""
    without = with_tile = 1
    if t.falcon and t.king_on_courts and stands_on(s, winner, KING, root):
        without = 2
        with_tile = 2 if t.king_with_seven else 1
    markets = int(s.feature[root].markets)
    end.points = A_MARKET * markets * without
    end.tile = (A_MARKET + 1) * markets * with_tile - A_MARKET * markets * without
    if t.falcon and t.falconer_on_courts:
        end.tokens = falconry(s, t, root, winner)


@inner
def _certain(s: Any, t: Any, player: int) -> int:
    """Return a player's points from courts and wall tiles 7 and 9."""
    points = POINTS_OF_A_NINE * _tiles(s, t, player, POINTS_TILE)
    for index in range(s.ends):
        if s.end[index].winner == player:
            points += int(s.end[index].points)
    return points + most_and_least(s, t, player, COURT)[0]


@inner
def most_and_least(s: Any, t: Any, player: int, kind: int) -> tuple[int, int]:
    """Return the most points of a player's wall tiles for a kind of feature, after ``_hold``.

    The second number is the least points of one of them, 0 if one scores nothing.
    """
    times, most, least, used = _tiles(s, t, player, FIRST_TILE + kind), 0, 0, 0
    for _ in range(times):
        at = _best_end(s, player, kind, used)
        if at < 0:
            return most, 0
        least = int(s.end[at].tile)
        if not t.once_per_feature:
            return times * least, least
        used |= 1 << at
        most += least
    return most, least


@inner
def _best_end(s: Any, player: int, kind: int, used: int) -> int:
    """Return a player's feature of a kind for which a wall tile brings most; -1 for none.

    Those in ``used``, a set of bits, are left out.
    """
    best, at = -1, -1
    for index in range(s.ends):
        end = s.end[index]
        mine = end.winner == player and end.kind == kind and not used >> index & 1
        if mine and end.tile > best:
            best, at = int(end.tile), index
    return at


@inner
def _played(s: Any, t: Any, white: int, black: int, area: int) -> tuple[int, int]:
    """Return the totals with wall tiles 4 to 6 and tokens when both players choose best.

    Args:
        s: the state.
        t: the tables.
        white: White's points without them.
        black: Black's points without them.
        area: the cells of the largest empty area.

    """
    last = 1 - int(s.now.mover)
    _choose(s, t, 0)
    _choose(s, t, 1)
    best_lead = best_points = LEAST
    for own in range(s.choices[last]):
        reply_lead = reply_points = LEAST
        for reply in range(s.choices[1 - last]):
            mine, theirs = s.choice[last, own], s.choice[1 - last, reply]
            points = (white if last == 0 else black) + int(mine.points)
            others = (black if last == 0 else white) + int(theirs.points)
            ahead = _more_tokens(s, t, mine.ends | theirs.ends, last)
            if ahead == last:
                points += area
            elif ahead >= 0:
                others += area
            lead = others - points
            if lead > reply_lead or (lead == reply_lead and others > reply_points):
                reply_lead, reply_points = lead, others
        points = reply_points - reply_lead
        if -reply_lead > best_lead or (-reply_lead == best_lead and points > best_points):
            best_lead, best_points = -reply_lead, points
    if last == 0:
        return best_points, best_points - best_lead
    return best_points - best_lead, best_points


@inner
def collect(t: Any, held: TokensHeld, winner: int, low: int, high: int, more: int) -> TokensHeld:
    """Return the tokens after a scoring.

    Args:
        t: the tables.
        held: the tokens before it.
        winner: the player who scores.
        low: the first word of the aeries beside his scored feature.
        high: the second.
        more: his tokens from other sources.

    """
    white, black, gone_low, gone_high = held
    if t.first_only:
        low &= ~gone_low
        high &= ~gone_high
        gone_low |= low
        gone_high |= high
    taken = bit_count(low) + bit_count(high) + more
    if taken:
        if winner == 0:
            white += taken
        else:
            black += taken
        over = white + black - t.tokens
        if over > 0:
            # Both return the fewest tokens that refill the supply; a leader keeps his lead.
            back = min(white, black, (over + 1) // 2)
            white -= back
            black -= back
        if t.capped:
            white = min(white, t.tokens)
            black = min(black, t.tokens)
    return white, black, gone_low, gone_high


@inner
def _more_tokens(s: Any, t: Any, used: int, last: int) -> int:
    """Return the player with more tokens at the end, or -1.

    Args:
        s: the state.
        t: the tables.
        used: the features on which wall tiles are used, as bits.
        last: the player of the last turn; he takes his tokens first.

    """
    now = s.now
    held = int(now.tokens[0]), int(now.tokens[1]), now.gone[0], now.gone[1]
    if not t.tokens_first:
        for step in range(4):
            courts, player = step < 2, last if step % 2 == 0 else 1 - last
            for index in range(s.ends):
                end = s.end[index]
                counts = end.kind == COURT if courts else end.kind != COURT and used >> index & 1
                if counts and end.winner == player:
                    low, high = end.aeries[0], end.aeries[1]
                    held = collect(t, held, player, low, high, int(end.tokens))
    if held[0] == held[1]:
        return -1
    return 0 if held[0] > held[1] else 1


@inner
def _choose(s: Any, t: Any, player: int) -> None:
    """List a player's undominated uses of wall tiles 4 to 6."""
    first = s.choice[player, 0]
    first.ends = 0
    first.points = 0
    first.tokens = 0
    first.aeries[0] = 0
    first.aeries[1] = 0
    s.choices[player] = 1
    for kind in (PATH, PATH + 1, HOUSE):
        times, mine = _tiles(s, t, player, FIRST_TILE + kind), 0
        for index in range(s.ends):
            if s.end[index].winner == player and s.end[index].kind == kind:
                mine |= 1 << index
        if not times or not mine:
            continue
        s.choices[SCRATCH] = 0
        # Every subset of ``mine``, the full set first.
        used = mine
        while True:
            if bit_count(used) <= times:
                for earlier in range(s.choices[player]):
                    _choose_too(s, t, player, earlier, used, times)
            if used == 0:
                break
            used = used - 1 & mine
        s.choices[player] = s.choices[SCRATCH]
        for index in range(s.choices[SCRATCH]):
            s.choice[player, index] = s.choice[SCRATCH, index]


@inner
def _choose_too(s: Any, t: Any, player: int, earlier: int, used: int, times: int) -> None:
    """Extend a choice by the use of equal wall tiles on some features, unless it is dominated.

    Args:
        s: the state.
        t: the tables.
        player: the owner of the wall tiles.
        earlier: index of the choice for other wall tiles.
        used: the features, as bits.
        times: the number of these wall tiles. By a switch, spare ones score the best feature
            again.

    """
    before = s.choice[player, earlier]
    points, tokens, best = int(before.points), int(before.tokens), 0
    low, high = before.aeries[0], before.aeries[1]
    for index in range(s.ends):
        if not used >> index & 1:
            continue
        end = s.end[index]
        points += int(end.tile)
        best = max(best, int(end.tile))
        tokens += int(end.tokens)
        if t.first_only:
            low |= end.aeries[0] & ~s.now.gone[0]
            high |= end.aeries[1] & ~s.now.gone[1]
        else:
            tokens += bit_count(end.aeries[0]) + bit_count(end.aeries[1])
    if not t.once_per_feature:
        points += best * (times - bit_count(used))
    kept = 0
    for index in range(s.choices[SCRATCH]):
        other = s.choice[SCRATCH, index]
        same = other.aeries[0] == low and other.aeries[1] == high
        if same and other.points >= points and other.tokens >= tokens:
            return
        if not (same and other.points <= points and other.tokens <= tokens):
            s.choice[SCRATCH, kept] = s.choice[SCRATCH, index]
            kept += 1
    if kept == CHOICES:
        s.overflow = 1
        return
    new = s.choice[SCRATCH, kept]
    new.ends = before.ends | used
    new.points = points
    new.tokens = tokens
    new.aeries[0] = low
    new.aeries[1] = high
    s.choices[SCRATCH] = kept + 1
