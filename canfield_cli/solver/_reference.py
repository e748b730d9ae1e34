"""The search in plain Python: what _search.pyx does, move for move and count for count.

`search` is the way in, for both backends alike. Start reading at :meth:`_Search.run`; docs/solver.md says why
each step is right.
"""

from __future__ import annotations

from functools import cache, lru_cache

from ._problem import (
    ALL,
    ASK_AFTER,
    ASK_EFFORT,
    CARDS,
    EVEN,
    LOW,
    ODD,
    ON,
    ON_TWIN,
    SPACE,
    UNCOVER,
    UNLIMITED,
    UP,
    rewound,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ._problem import Game, Move, Problem, State

__all__ = ["NAME", "search", "settle", "step"]

NAME = "python"
#: The pulse (time, signals) is felt after so many states.
PULSE = 1024
_NEVER = 1 << 62
_WORD = (1 << 64) - 1


class _Stop(Exception):
    """A limit was hit; `limit` names it."""

    def __init__(self, limit: str) -> None:
        super().__init__(limit)
        self.limit = limit


def search(
    problem: Problem,
    games: list[Game],
    attempts: Iterable[tuple[int, int]],
    max_states: int,
    max_stored: int,
    pulse: Callable[[], str],
) -> tuple[str, list[Move], int]:
    """Decide `games[0]` from the problem's state, asking the looser ones that follow it for proofs of loss.

    Each of `attempts` is a number of states, and the seed of the order of moves (0 for the usual one); they are
    made in turn until one decides. Returns ``won`` with the moves, ``lost`` (none of them leads to a win), ``unknown``
    (no attempt decided) or the name of the limit that was hit (``states``, ``memory``, ``interrupted`` by Ctrl-C, or what
    `pulse`, called now and then, returned), and how many states were looked at.
    """
    run = _Search(problem, games, max_states, max_stored, pulse)
    outcome = "unknown"
    found: list[Move] = []
    try:
        for budget, run.random in attempts:
            outcome, found = run.run(0, problem.state, budget)
            if outcome != "unknown":
                break
    except _Stop as stop:
        outcome = stop.limit
    except KeyboardInterrupt:
        outcome = "interrupted"
    return outcome, found, run.states


class _Frame:
    """A state being looked into: its moves still to make (the best last), the one that was made, and what it has taken so far.

    `start` is the count at which it was entered, `ask` the one at which the looser game is asked about it.
    """

    __slots__ = ("ask", "choices", "move", "start", "state")

    move: Move

    def __init__(self, state: State, choices: list[Move], start: int) -> None:
        self.state = state
        self.choices = choices
        self.start = start
        self.ask = start + ASK_AFTER


class _Search:
    """What the searches of one call share: the counters, and for each game the states known to be lost."""

    def __init__(
        self, problem: Problem, games: list[Game], max_states: int, max_stored: int, pulse: Callable[[], str]
    ) -> None:
        self.problem = problem
        self.games = games
        self.lost: list[set[State]] = [set() for _ in games]
        self.states = 0
        self.next = min(PULSE, max_states)
        self.random = 0
        self.max_states = max_states
        self.max_stored = max_stored
        self.pulse = pulse

    def run(self, level: int, root: State, budget: int) -> tuple[str, list[Move]]:  # noqa: C901, one loop as in the twin
        """Search `games[level]` depth first from `root`: ``won`` and the moves, ``lost``, or ``unknown`` after `budget` states.

        Raises _Stop where a limit of the whole search is hit.
        """
        problem, game, lost = self.problem, self.games[level], self.lost[level]
        cyclic = game.cyclic
        looser = level + 1 < len(self.games)
        entered: set[State] = set()
        state, ends = settle(game, problem, root)
        count = 1
        self.states += 1
        if self.states >= self.next:
            self._look_at_limits(entered)
        if not state[2]:
            return "won", []
        if state in lost:
            return "lost", []
        if self._dead(level, state, ends):
            lost.add(state)
            return "lost", []
        if cyclic:
            entered.add(state)
        stack: list[_Frame] = []
        frame = _Frame(state, moves(game, problem, state, ends), count)
        if self.random and game.arranged:
            self._shuffle(frame.choices)
        while True:
            if looser and count >= frame.ask and self._lost_in_looser(level + 1, [*stack, frame], count):
                frame.choices.clear()
            if not frame.choices:
                if not cyclic:
                    lost.add(frame.state)
                if not stack:
                    lost |= entered
                    return "lost", []
                frame = stack.pop()
                continue
            frame.move = frame.choices.pop()
            raw = step(game, problem, frame.state, frame.move)
            count += 1
            self.states += 1
            if self.states >= self.next:
                self._look_at_limits(entered)
            # Most states that come again are settled from the start.
            if raw in lost or (cyclic and raw in entered):
                continue
            state, ends = settle(game, problem, raw)
            if not state[2]:
                return "won", [*(above.move for above in stack), frame.move]
            if state is not raw and (state in lost or (cyclic and state in entered)):
                continue
            if count >= budget:
                return "unknown", []
            if cyclic:
                entered.add(state)
            if self._dead(level, state, ends):
                if not cyclic:
                    lost.add(state)
                continue
            stack.append(frame)
            frame = _Frame(state, moves(game, problem, state, ends), count)
            if self.random and game.arranged:
                self._shuffle(frame.choices)

    def _lost_in_looser(self, level: int, frames: list[_Frame], count: int) -> bool:
        """Ask the looser game about the last of the states being looked into; note in `frames` when to ask again."""
        frame = frames[-1]
        size = count - frame.start
        answer, _ = self.run(level, _loosened(self.games[level], frame.state), size * ASK_EFFORT)
        if answer == "lost":
            return True
        # What can be won from here can be won from above; what was too much to ask here is too much above.
        later = _NEVER if answer == "won" else 2 * size
        for frame in reversed(frames):
            if frame.ask >= frame.start + later:
                break
            frame.ask = frame.start + later
        return False

    def _dead(self, level: int, state: State, ends: int) -> bool:
        """Say whether the state is seen to be lost at once: in the looser game, or by a knot."""
        game = self.games[level]
        return self._known_lost(level + 1, state) or (game.knots and knotted(game, self.problem, state, ends))

    def _known_lost(self, level: int, state: State) -> bool:
        """Say whether the looser game, if there is one, is already known to be lost from there."""
        if level == len(self.games) or not self.lost[level]:
            return False
        game = self.games[level]
        looser, _ = settle(game, self.problem, _loosened(game, state))
        return looser in self.lost[level]

    def _shuffle(self, found: list[Move]) -> None:
        """Shuffle the moves of a seeded attempt, those to foundations excepted, which come last."""
        end = len(found)
        while end and found[end - 1][1] == UP:
            end -= 1
        random = self.random
        while end > 1:
            random ^= random << 13 & _WORD
            random ^= random >> 7
            random ^= random << 17 & _WORD
            other = random % end
            end -= 1
            found[end], found[other] = found[other], found[end]
        self.random = random

    def _look_at_limits(self, entered: set[State]) -> None:
        """Say when to look again. Raises _Stop where a limit is hit."""
        if self.states >= self.max_states:
            raise _Stop("states")
        if len(entered) + sum(map(len, self.lost)) > self.max_stored:
            raise _Stop("memory")
        if limit := self.pulse():
            raise _Stop(limit)
        self.next = min(self.states + PULSE, self.max_states)


def _loosened(game: Game, state: State) -> State:
    """Return `state` as the looser `game` sees it."""
    table, bases, upcoming, stock, links, reserve, waste, redeals = state
    if not game.arranged:
        links = 0
    if game.draw == 1:
        waste, redeals = 0, UNLIMITED
    return table, bases, upcoming, stock, links, reserve, waste, redeals


# Sets of cards.


def above(kinds: int, wrap: bool) -> int:
    """Return the kinds (bits of LOW) that those of `kinds` may be built on."""
    return kinds << 4 & ALL | (_SWAPPED[kinds >> CARDS - 4] if wrap else 0)


def below(kinds: int, wrap: bool) -> int:
    """Return the kinds that may be built on those of `kinds`."""
    return kinds >> 4 | (_SWAPPED[kinds & 3] << CARDS - 4 if wrap else 0)


#: The two kinds of a rank exchanged, as they are between the last rank and the first: 13 is odd.
_SWAPPED = (0, 2, 1, 3)


def raised(cards: int) -> int:
    """Return the cards that come after those of `cards` on their foundations."""
    return ((cards & EVEN) << 5 | (cards & ODD) << 3) & ALL


def lowest(cards: int) -> int:
    """Return the lowest number in a set that is not empty."""
    return (cards & -cards).bit_length() - 1


def heights(upcoming: int) -> list[int]:
    """Return how many cards the foundations hold, by their places in the first nibble."""
    found = [13] * 4
    while upcoming:
        rank, place = divmod(lowest(upcoming), 4)
        found[place ^ rank & 1] = rank
        upcoming &= upcoming - 1
    return found


@cache
def safe(wrap: bool, takeback: bool, upcoming: int) -> int:
    """Return those of the next cards of the foundations that may go up without another thought."""
    found = 0
    up = heights(upcoming)
    least = 1 if wrap else 0
    for place, rank in enumerate(up):
        others, twin = min(up[place ^ 1], up[place ^ 3]), up[place ^ 2]
        if wrap and (takeback or rank == 0):
            continue
        if (others >= rank and not takeback) or (
            others >= max(rank - 1, least) and twin >= max(rank - 2, least)
        ):
            found |= 1 << 4 * rank + (place ^ rank & 1)
    return found & upcoming


def ends_of(game: Game, table: int, bases: int, links: int) -> int:
    """Return the cards of the table that are at the end of a column, or can be brought there."""
    lying = table ^ bases
    if game.arranged:
        first, second = lying & ~links, lying & links
        covered = above((first | first >> 2) & LOW, game.wrap)
        return table & ~(covered | above((second | second >> 2) & LOW, game.wrap) << 2)
    twins, lying_twins = table >> 2, lying >> 2
    if game.wrap:
        kinds = (table | twins) & LOW & ~above((lying | lying_twins) & LOW, True)
        if not (game.strict and _long(lying)):
            kinds |= table & twins & LOW & ~above(lying & lying_twins & LOW, True)
    else:
        kinds = (
            (table | twins) & ~((lying | lying_twins) << 4) | table & twins & ~((lying & lying_twins) << 4)
        ) & LOW
    return table & (kinds | kinds << 2)


def _long(lying: int) -> bool:
    """Say whether cards of all kinds lie on others, so that a column could have come round to a kind again."""
    return (lying | lying >> 2) & LOW == LOW


def shifted(game: Game, table: int, bases: int, links: int) -> list[int]:
    """Return the `links` that come from these by moving one lying card from one twin to the other."""
    if not game.shifts:
        return []
    ends = ends_of(game, table, bases, links)
    on, twin = _carried(game, ends)
    shifting = table & ~bases & (links & on | ~links & twin) & (ALL if game.parts else ends)
    found = []
    while shifting:
        card = lowest(shifting)
        shifting &= shifting - 1
        new = ON if links >> card & 1 else ON_TWIN
        if not (game.wrap and _own(bases, links, card, carrier(card, new))):
            found.append(links ^ 1 << card)
    return found


def arrangements(game: Game, table: int, bases: int, links: int) -> list[tuple[int, int]]:
    """Return the `links` that come from these by moving lying cards from twin to twin, these first.

    What is done so can be undone: they all stand for one state. With each stand the cards at which it differs from an
    earlier one: only moves that touch them need to be made from it.
    """
    found = [(links, ALL)]
    known = {links}
    for here, _ in found:
        for there in shifted(game, table, bases, here):
            if there not in known:
                known.add(there)
                bit = here ^ there
                left = carrier(lowest(bit), ON_TWIN if here & bit else ON)
                found.append((there, ALL if game.parts else bit | 1 << left))
    return found


def _own(bases: int, links: int, card: int, end: int) -> bool:
    """Say whether `end` lies in the run that `card` begins."""
    while end != card:
        if bases >> end & 1:
            return False
        end = carrier(end, ON_TWIN if links >> end & 1 else ON)
    return True


def knotted(game: Game, problem: Problem, state: State, ends: int) -> bool:  # noqa: C901, as in the twin
    """Say whether cards wait for each other for ever.

    Found by letting everything happen that could make way: what has left the reserve is at hand, and so are those of the
    stock's cards that can be turned and, once one of these could go, all that are turned after it and the one before;
    what was free once stays free, each base that could leave lets one card of the reserve in. `hosts` are the cards that
    could come to lie open in a column, `stock` keeps those turned before the first that could go. What is not up in the
    end never will be.
    """
    table, bases, upcoming, stock, links, reserve, _, _ = state
    lying = table ^ bases
    at_hand = _turned(game, problem, state, stock)
    hidden = stock ^ at_hand
    hosts = slots = 0
    while reserve or not game.spaces:
        before = hosts
        hosts |= ends
        if not game.arranged:
            hosts |= table & ((hosts & LOW) << 2 | hosts >> 2 & LOW)
        while found := at_hand & (places := _places(game, hosts)) & ~hosts:
            hosts |= found
        gone = 0
        free = hosts | at_hand
        while ready := upcoming & free:
            gone |= ready
            upcoming = upcoming ^ ready | ((ready & EVEN) << 5 | (ready & ODD) << 3) & ALL
        leaving = bases & (places | gone)
        bases ^= leaving
        slots += leaving.bit_count()
        opened = 0
        if hidden and (going := at_hand & (places | gone) & stock):
            stock &= problem.below[_earliest(problem, going)]
            opened = hidden & (~stock | _latest(problem, stock))
        while reserve:
            top = problem.tops[reserve]
            if top & places:
                pass
            elif top & upcoming:
                gone |= top
                upcoming = upcoming ^ top | raised(top)
            elif slots:
                slots -= 1
                table |= top
                bases |= top
            else:
                break
            hosts |= top
            at_hand |= top
            reserve -= 1
        if not reserve:
            if game.spaces:
                return False
            opened = hidden
            hosts |= at_hand | hidden
        at_hand |= opened
        hidden ^= opened
        changing = _changing(game, lying, links, hosts) if game.shifts else 0
        if not gone | changing | leaving | opened and hosts == before:
            return upcoming != 0
        table &= ~gone
        lying &= ~(gone | changing)
        ends = ends_of(game, table, table & ~lying, links)
    return False


def _earliest(problem: Problem, cards: int) -> int:
    """Return the number of the one of `cards` of the stock, not none, that is turned before the others."""
    while earlier := cards & problem.below[lowest(cards)]:
        cards = earlier
    return lowest(cards)


def _latest(problem: Problem, cards: int) -> int:
    """Return the set of the one of `cards` of the stock that is turned after the others, none of none."""
    while later := cards & ~(problem.below[lowest(cards)] | cards & -cards):
        cards = later
    return cards & -cards


def _changing(game: Game, lying: int, links: int, hosts: int) -> int:
    """Return the cards that could leave what they lie on for its twin."""
    on, twin = _carried(game, hosts)
    changing = lying & (links & on | ~links & twin)
    return changing & hosts if game.tops else changing


# What happens.


def settle(game: Game, problem: Problem, state: State, trail: list[Move] | None = None) -> tuple[State, int]:
    """Do what costs nothing: safe cards go up, and without a reserve what can free a space does so.

    Returns the state in its one form (the same object when it is that) and the cards at ends; what was done is added to `trail`.
    """
    while True:
        table, bases, upcoming, stock, links, reserve, waste, redeals = state
        ends = ends_of(game, table, bases, links)
        at_hand = problem.tops[reserve]
        if game.draw == 1 and redeals == UNLIMITED:
            at_hand |= stock
        ready, here = upcoming & (ends | at_hand), links
        if ready:
            ready &= safe(game.wrap, game.takeback, upcoming)
        if game.shifts and not ready:
            every = arrangements(game, table, bases, links)
            for here, _ in every:
                ready = upcoming & (at_hand | ends_of(game, table, bases, here))
                if ready and (ready := ready & safe(game.wrap, game.takeback, upcoming)):
                    break
            else:
                if (least := min(every)[0]) != links:
                    state = table, bases, upcoming, stock, least, reserve, waste, redeals
                    ends = ends_of(game, table, bases, least)
        if ready:
            move = lowest(ready), UP, here
        elif reserve or game.arranged or not game.fill:
            return state, ends
        elif leaving := _leaving(game, table, bases) & _places(game, ends):
            move = lowest(leaving), ON, links
        else:
            return state, ends
        state = step(game, problem, state, move)
        if trail is not None:
            trail.append(move)


def _places(game: Game, ends: int) -> int:
    """Return the cards that can be built on one of `ends`."""
    kinds = (ends | ends >> 2) & LOW
    cards = below(kinds, True) if game.wrap else kinds >> 4
    return cards | cards << 2


def _carried(game: Game, ends: int) -> tuple[int, int]:
    """Return the cards that can be built on the first, and on the second, card of a kind among `ends`."""
    on, twin = below(ends & LOW, game.wrap), below(ends >> 2 & LOW, game.wrap)
    return on | on << 2, twin | twin << 2


def _leaving(game: Game, table: int, bases: int) -> int:
    """Return the bases that may be moved; under `strict` not those that might only fit on their own column."""
    if game.strict and game.wrap:
        lying = table & ~bases
        kinds = (lying | lying >> 2) & LOW
        missing = LOW & ~kinds
        if missing & (missing - 1) == 0:
            return bases & ~(missing | missing << 2) if missing else 0
    return bases


def moves(game: Game, problem: Problem, state: State, ends: int) -> list[Move]:
    """Return the moves of a settled state, in all its arrangements, the most promising last."""
    table, bases, upcoming, stock, links, reserve, _, _ = state
    every = [(links, ends)]
    if game.shifts:
        every = [
            (here, fresh & ends_of(game, table, bases, here))
            for here, fresh in reversed(arrangements(game, table, bases, links))
        ]
        for _, others in every:
            ends |= others
    lying = table ^ bases
    space = not reserve and bases.bit_count() < 4
    top = problem.tops[reserve]
    tops = _tops(game, upcoming) if game.takeback else 0
    leaving = _leaving(game, table, bases) if reserve or game.arranged or not game.fill else 0
    turned = _turned(game, problem, state, stock if space else stock & (upcoming | _places(game, ends)))
    # Where redeals are scarce, what shows on the waste comes before what it takes draws to reach.
    showing = _showing(problem, state, turned) if state[7] != UNLIMITED else 0
    turned ^= showing
    top |= showing
    uncovering = space and game.fill and not game.arranged and not (game.strict and _long(lying))
    groups: list[Move] = []
    twin = 0
    for here, ends in every:
        if game.arranged:
            on, twin = _carried(game, ends)
        else:
            on = _places(game, ends)
        # What touches no card of a column is the same from all arrangements.
        once = here == links
        if space and game.fill:
            parts = 0 if not game.shifts else lying if game.parts else lying & ends
            groups += (tops if once else 0, SPACE, here), (parts, SPACE, here)
        if tops:
            groups += (tops & on, ON, here), (tops & twin, ON_TWIN, here)
        if space and once:
            groups += (turned, SPACE, here), (showing, SPACE, here)
        groups += (
            (turned & on, ON, here),
            (turned & twin, ON_TWIN, here),
            (turned & upcoming if once else 0, UP, here),
            (leaving & on, ON, here),
            (leaving & twin, ON_TWIN, here),
            (top & on, ON, here),
            (top & twin, ON_TWIN, here),
        )
        if uncovering:
            groups.append((upcoming & table & ~ends, UNCOVER, here))
    for here, ends in every:
        groups.append(((top | ends if here == links else ends) & upcoming, UP, here))
    found: list[Move] = []
    for cards, target, here in groups:
        while cards:
            bit = cards & -cards
            found.append((bit.bit_length() - 1, target, here))
            cards ^= bit
    return [move for move in found if not _closes(state, move)] if game.arranged and game.wrap else found


def _tops(game: Game, upcoming: int) -> int:
    """Return the cards that may come back from the foundations and would not go up again at once."""
    found = 0
    for place, rank in enumerate(heights(upcoming)):
        if rank:
            card = 1 << 4 * (rank - 1) + (place ^ rank - 1 & 1)
            if not card & safe(game.wrap, game.takeback, upcoming & ~raised(card) | card):
                found |= card
    return found


def _turned(game: Game, problem: Problem, state: State, wanted: int) -> int:
    """Return those of the stock's cards `wanted` that can come to the top of the waste."""
    stock, waste, redeals = state[3], state[6], state[7]
    if game.draw == 1 and redeals:
        return wanted
    return wanted & turnable(problem, game.draw, redeals > 0, stock, waste)


def _showing(problem: Problem, state: State, cards: int) -> int:
    """Return the top of the waste if it is one of `cards`, else nothing."""
    stock, waste = state[3], state[6]
    while cards:
        if (stock & problem.below[lowest(cards)]).bit_count() == waste - 1:
            return cards & -cards
        cards &= cards - 1
    return 0


@lru_cache(1 << 16)
def turnable(problem: Problem, draw: int, again: bool, stock: int, waste: int) -> int:
    """Return the cards of `stock` and waste that can be turned.

    `again` says whether a redeal may come before; without, the waste's top and what is drawn from there.
    """
    row = [bit for bit in problem.order if bit & stock]
    found = 0
    for bit in (
        *row[waste - 1 if waste else draw - 1 :: draw],
        *row[-1:],
        *(row[draw - 1 :: draw] if again else ()),
    ):
        found |= bit
    return found


def _closes(state: State, move: Move) -> bool:
    """Say whether the move would put a run on a card of its own."""
    card, target, links = move
    if target not in (ON, ON_TWIN) or not state[0] >> card & 1:
        return False
    return _own(state[1], links, card, carrier(card, target))


def carrier(card: int, target: int) -> int:
    """Return the card that `card` goes on."""
    first = card + 4 & ~2 if card < CARDS - 4 else card & 1 ^ 1
    return first + 2 if target == ON_TWIN else first


def step(game: Game, problem: Problem, state: State, move: Move) -> State:
    """Return the state after a move, not settled."""
    table, bases, upcoming, stock, _, reserve, waste, redeals = state
    card, target, links = move
    bit = 1 << card
    if target == UNCOVER:
        bases |= 1 << cover(table, bases, card)
    vacated = 0
    if table & bit:
        vacated = bases & bit
        table ^= bit
        bases ^= vacated
        links &= ~bit
    elif stock & bit:
        if game.draw != 1 or redeals != UNLIMITED:
            if redeals != UNLIMITED and not turnable(problem, game.draw, False, stock, waste) & bit:
                redeals -= 1
            place = (stock & problem.below[card]).bit_count()
            waste, redeals = rewound(game.draw, stock.bit_count() - 1, place, redeals)
        stock ^= bit
    elif bit == problem.tops[reserve]:
        reserve -= 1
    else:
        upcoming = upcoming & ~_AFTER[card] | bit
    if target in (UP, UNCOVER):
        upcoming = upcoming ^ bit | _AFTER[card]
    else:
        table |= bit
        if target == SPACE:
            bases |= bit
        elif target == ON_TWIN:
            links |= bit
    if vacated and reserve:
        filler = problem.tops[reserve]
        reserve -= 1
        table |= filler
        bases |= filler
    return table, bases, upcoming, stock, links, reserve, waste, redeals


#: For each card the one that comes after it on its foundation.
_AFTER = tuple(raised(1 << card) for card in range(CARDS))


def cover(table: int, bases: int, card: int) -> int:
    """Return the first card that lies on `card` or its twin, both covered."""
    kind = below(1 << (card & ~2), True)
    return lowest((kind | kind << 2) & table & ~bases)
