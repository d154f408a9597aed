"""Tiles and features of a castle: check a place, join, complete, and undo."""

from __future__ import annotations

from typing import Any

from burgrave.model.geometry import PORTS
from burgrave.model.rules.castle.completion import SMALLEST_RING
from burgrave.solver.kernel.bits import SPAN, bit_count, lowest
from burgrave.solver.kernel.boards import find, fits, link, part
from burgrave.solver.kernel.castle_state import CASTLE_TOUCHED, DEPTH, SLOTS
from burgrave.solver.kernel.castle_tables import CHAPEL, COURT, HOUSE, TOWER
from burgrave.solver.kernel.compiling import compiled, inner


@inner
def size(words: Any) -> int:
    """Return the number of cells in a set."""
    return bit_count(words[0]) + bit_count(words[1])


@inner
def may_lie(s: Any, t: Any, cell: int, lie: int) -> bool:
    """Tell whether a lie fits on an empty cell inside, chapels included where they bind."""
    return fits(s, t, cell, lie) and (not t.chapels_bind or _continued(s, t, cell, lie))


@inner
def _continued(s: Any, t: Any, cell: int, lie: int) -> bool:
    """Tell whether chapels meet chapels alone, at every tile inside beside a cell."""
    for side in range(4):
        beyond = t.neighbour[cell, side]
        if beyond < 0 or beyond >= t.inside or s.lie[beyond] < 0:
            continue
        for port in range(3 * side, 3 * side + 3):
            mine = t.owner[lie, port]
            theirs = t.owner[s.lie[beyond], t.facing[port]]
            here = mine >= 0 and t.shows[lie >> 2, mine] == CHAPEL
            there = theirs >= 0 and t.shows[s.lie[beyond] >> 2, theirs] == CHAPEL
            if here != there:
                return False
    return True


@compiled
def lay(s: Any, t: Any, cell: int, lie: int) -> None:
    """Lay a tile on an empty cell and join the features that it touches.

    ``s.done`` then lists the completed features, courts excepted, ascending by root.
    """
    base = cell * PORTS
    touched = _begin(s, t, cell, lie)
    for side in range(4):
        beyond = int(t.neighbour[cell, side])
        if 0 <= beyond < t.inside:
            face(s, t, base, lie, side, beyond)
            if cell < t.inside:
                _ask(s, t, beyond, side, lie)
    # After the joins, since only the root holds the cells that a class faces.
    for side in range(4 if cell < t.inside else 0):
        beyond = int(t.neighbour[cell, side])
        if beyond >= 0 and s.lie[beyond] >= 0:
            touched = _meet(s, t, cell, lie, side, beyond, touched)
    s.touches = touched
    _complete(s, t, touched)
    if t.holes_block:
        _keep_open(s, t)
        _fill(s, t, cell)


@inner
def _begin(s: Any, t: Any, cell: int, lie: int) -> int:
    """Make a class of each segment of a tile; return the number of features touched so far."""
    kind, base = lie >> 2, cell * PORTS
    s.lie[cell] = lie
    for word in range(2):
        s.empty[word] &= ~t.bit[cell, word]
    count = int(t.segments[kind])
    for index in range(count):
        node = base + index
        make(s, t, node, cell, kind, index)
        s.touched[index] = node
        if t.adjoins[kind, index]:
            for aerie in range(t.aeries_each):
                if t.adjoins[kind, index] >> aerie & 1:
                    place = cell * int(t.aeries_each) + aerie
                    s.feature[node].aeries[place // SPAN] |= 1 << place % SPAN
    return count


@inner
def make(s: Any, t: Any, node: int, cell: int, kind: int, segment: int) -> None:
    """Make a node a class of its own: a segment of a tile on a cell that touches nothing yet."""
    s.parent[node] = node
    s.kind[node] = t.shows[kind, segment]
    new = s.feature[node]
    new.fountains = t.fountains[kind, segment]
    new.markets = t.markets[kind, segment]
    new.men = 0
    for word in range(2):
        new.mask[word] = t.bit[cell, word]
        new.faces[word] = 0
        new.aeries[word] = 0


@inner
def join(s: Any, mine: int, theirs: int) -> None:
    """Make the features of two nodes one."""
    child = link(s, mine, theirs)
    if child >= 0:
        absorb(s.feature[s.parent[child]], s.feature[child])


@inner
def absorb(one: Any, other: Any) -> None:
    """Add what one feature holds to another."""
    one.fountains += other.fountains
    one.markets += other.markets
    one.men += other.men
    for word in range(2):
        one.mask[word] |= other.mask[word]
        one.faces[word] |= other.faces[word]
        one.aeries[word] |= other.aeries[word]


@inner
def _ask(s: Any, t: Any, beyond: int, side: int, lie: int) -> None:
    """Let the cell beyond a side ask for the side's path or its absence."""
    for word in range(2):
        s.held[word] |= t.bit[beyond, word]
    s.wants[beyond] |= t.asks[lie, side]


@inner
def face(s: Any, t: Any, base: int, lie: int, side: int, beyond: int) -> None:
    """Note that the segments on a side of a tile face a cell inside."""
    whole = int(t.whole[lie, side])
    if whole >= 0:
        for word in range(2):
            s.feature[base + whole].faces[word] |= t.bit[beyond, word]
        return
    for port in range(3 * side, 3 * side + 3):
        segment = int(t.owner[lie, port])
        if segment >= 0:
            for word in range(2):
                s.feature[base + segment].faces[word] |= t.bit[beyond, word]


@inner
def _meet(s: Any, t: Any, cell: int, lie: int, side: int, beyond: int, touched: int) -> int:
    """Join segments across a side of a tile; return the number of features touched so far."""
    other = int(s.lie[beyond])
    mine, theirs = cell * PORTS, beyond * PORTS
    a, b = int(t.whole[lie, side]), int(t.whole[other, side + 2 & 3])
    if a >= 0 and b >= 0:
        if s.kind[mine + a] == s.kind[theirs + b]:
            join(s, mine + a, theirs + b)
        else:
            s.touched[touched] = theirs + b
            touched += 1
        return touched
    met = joined = 0
    for port in range(3 * side, 3 * side + 3):
        a, b = int(t.owner[lie, port]), int(t.owner[other, t.facing[port]])
        if b < 0:
            continue
        met |= 1 << b
        if a >= 0 and s.kind[mine + a] == s.kind[theirs + b]:
            joined |= 1 << b
            join(s, mine + a, theirs + b)
    closed = met & ~joined
    while closed:
        s.touched[touched] = theirs + lowest(closed)
        touched += 1
        closed &= closed - 1
    return touched


@inner
def save(s: Any) -> bool:
    """Save the state before a turn, for ``undo``; return whether the log has room."""
    if s.depth == DEPTH:
        s.overflow = 1
        return False
    frame = s.frame[s.depth]
    frame.cell = -1
    frame.joins = s.joins
    frame.changes = s.changes
    frame.held[0] = s.held[0]
    frame.held[1] = s.held[1]
    frame.now = s.now
    s.depth += 1
    return True


@compiled
def undo(s: Any, t: Any) -> None:
    """Take back the last turn played, or what followed the last ``save``."""
    s.depth -= 1
    frame = s.frame[s.depth]
    s.now = frame.now
    while s.changes > frame.changes:
        s.changes -= 1
        s.feature[s.changed[s.changes]].men = s.men_before[s.changes]
    if frame.cell >= 0:
        _lift(s, t, frame)


@inner
def _lift(s: Any, t: Any, frame: Any) -> None:
    """Take the tile of a saved turn off its cell inside."""
    cell = int(frame.cell)
    part(s, int(frame.joins))
    lie = s.lie[cell]
    s.lie[cell] = -1
    for word in range(2):
        s.empty[word] |= t.bit[cell, word]
        s.held[word] = frame.held[word]
    for side in range(4):
        beyond = int(t.neighbour[cell, side])
        if 0 <= beyond < t.inside:
            s.wants[beyond] ^= t.asks[lie, side]


@inner
def is_closed(s: Any, root: int) -> bool:
    """Tell whether a feature faces no empty cell."""
    faces = s.feature[root].faces
    return bool((faces[0] & s.empty[0]) | (faces[1] & s.empty[1]) == 0)


@inner
def open_cells(s: Any, root: int) -> int:
    """Return the number of empty cells that a feature faces."""
    faces = s.feature[root].faces
    return bit_count(faces[0] & s.empty[0]) + bit_count(faces[1] & s.empty[1])


@inner
def _complete(s: Any, t: Any, touched: int) -> None:
    """List the features that a tile completes in ``s.done``, by root."""
    s.dones = 0
    limit = t.inside * PORTS
    for index in range(touched):
        root = find(s, int(s.touched[index]))
        if is_closed(s, root) and s.kind[root] != COURT and root < limit:
            _note(s, root)


@inner
def _note(s: Any, root: int) -> None:
    """Insert a completed feature into ``s.done`` by root, unless it is there."""
    at = s.dones
    while at > 0 and s.done[at - 1] >= root:
        at -= 1
    if at < s.dones and s.done[at] == root:
        return
    if s.dones == CASTLE_TOUCHED:
        s.overflow = 1
        return
    for index in range(s.dones, at, -1):
        s.done[index] = s.done[index - 1]
    s.done[at] = root
    s.dones += 1


@inner
def _keep_open(s: Any, t: Any) -> None:
    """Remove the features that wall in an empty cell from ``s.done``."""
    kept = 0
    for index in range(s.dones):
        root = int(s.done[index])
        if not walls_in(s, t, root, s.empty[0], s.empty[1]):
            s.done[kept] = root
            kept += 1
    s.dones = kept


@inner
def _fill(s: Any, t: Any, cell: int) -> None:
    """Add the closed features whose last enclosed hole the tile fills to ``s.done``."""
    low, high = s.empty[0] | t.bit[cell, 0], s.empty[1] | t.bit[cell, 1]
    for other in range(t.inside):
        if s.lie[other] < 0:
            continue
        for segment in range(t.segments[s.lie[other] >> 2]):
            root = other * PORTS + segment
            if s.parent[root] != root or not is_closed(s, root):
                continue
            mask = s.feature[root].mask
            if (mask[0] & t.bit[cell, 0]) | (mask[1] & t.bit[cell, 1]):
                continue
            before = walls_in(s, t, root, low, high)
            if before and not walls_in(s, t, root, s.empty[0], s.empty[1]):
                _note(s, root)


@inner
def walls_in(s: Any, t: Any, root: int, empty_low: int, empty_high: int) -> bool:
    """Tell whether a tower, house or chapel walls in an empty cell.

    Args:
        s: the state.
        t: the tables.
        root: the root of the feature.
        empty_low: the first word of the cells that count as empty.
        empty_high: the second.

    """
    kind, mask = s.kind[root], s.feature[root].mask
    if kind not in (TOWER, HOUSE, CHAPEL) or size(mask) < SMALLEST_RING:
        return False
    free_low, free_high = t.all_inside[0] & ~mask[0], t.all_inside[1] & ~mask[1]
    low, high = flood(t.beside, t.rim[0] & free_low, t.rim[1] & free_high, free_low, free_high)
    return bool((empty_low & free_low & ~low) | (empty_high & free_high & ~high) != 0)


@inner
def flood(near: Any, low: int, high: int, free_low: int, free_high: int) -> tuple[int, int]:
    """Return all cells of a set that are reachable from some of them, as two words.

    Args:
        near: cell → the set of cells one step away, two words.
        low: the first word of the starting cells.
        high: the second.
        free_low: the first word of the cells of the set.
        free_high: the second.

    """
    ahead_low, ahead_high = low, high
    while ahead_low | ahead_high:
        step_low = step_high = 0
        while ahead_low:
            cell = lowest(ahead_low)
            ahead_low &= ahead_low - 1
            step_low |= near[cell, 0]
            step_high |= near[cell, 1]
        while ahead_high:
            cell = SPAN + lowest(ahead_high)
            ahead_high &= ahead_high - 1
            step_low |= near[cell, 0]
            step_high |= near[cell, 1]
        ahead_low = step_low & free_low & ~low
        ahead_high = step_high & free_high & ~high
        low |= ahead_low
        high |= ahead_high
    return low, high


@inner
def largest_area(s: Any, t: Any) -> int:
    """Return the size of the largest connected empty area, in cells."""
    left_low, left_high = s.empty[0], s.empty[1]
    mixed = left_low ^ left_low >> 10 ^ left_low >> 23 ^ left_low >> 37 ^ left_low >> 51
    mixed ^= left_high >> 3 ^ left_high >> 15 ^ left_high >> 29 ^ left_high >> 43
    slot = (mixed ^ left_high) & SLOTS - 1
    if s.known_empty[slot, 0] == left_low and s.known_empty[slot, 1] == left_high:
        return int(s.known_area[slot])
    s.known_empty[slot, 0] = left_low
    s.known_empty[slot, 1] = left_high
    largest = 0
    while bit_count(left_low) + bit_count(left_high) > largest:
        first_low = left_low & -left_low
        first_high = 0 if left_low else left_high & -left_high
        low, high = flood(t.linked, first_low, first_high, left_low, left_high)
        largest = max(largest, bit_count(low) + bit_count(high))
        left_low &= ~low
        left_high &= ~high
    s.known_area[slot] = largest
    return largest
