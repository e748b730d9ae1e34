"""The search in plain Python: what _search.pyx does, move for move and count for count.

`search` is the way in, for both backends alike. Start reading at :meth:`_Search.run`; docs/solver.md says why
each step is right.
"""

from __future__ import annotations

from ._problem import (
    ALL,
    ASK_AFTER,
    ASK_EFFORT,
    CARDS,
    FIRST,
    LOW,
    ON,
    ON_TWIN,
    SPACE,
    UNCOVER,
    UNLIMITED,
    UP,
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
    (no attempt decided) or the name of the limit that was hit (``states``, ``memory``, or what `pulse`, called
    now and then, returned), and how many states were looked at.
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
    return outcome, found, run.states


class _Search:
    """What the searches of one call share: the counters, and for each game the states known to be lost."""

    def __init__(
        self, problem: Problem, games: list[Game], max_states: int, max_stored: int, pulse: Callable[[], str]
    ) -> None:
        self.problem = problem
        self.games = games
        self.lost: list[set[State]] = [set() for _ in games]
        self.states = 0
        self.random = 0
        self.max_states = max_states
        self.max_stored = max_stored
        self.pulse = pulse

    def run(self, level: int, root: State, budget: int) -> tuple[str, list[Move]]:  # noqa: C901, one loop as in the twin
        """Search `games[level]` depth first from `root`: ``won`` and the moves, ``lost``, or ``unknown`` after `budget` states.

        Raises _Stop where a limit of the whole search is hit.
        """
        problem, game = self.problem, self.games[level]
        cyclic = game.cyclic
        looser = level + 1 < len(self.games)
        lost = self.lost[level]
        entered: set[State] = set()
        state, ends = settle(game, problem, root)
        # One entry a level of depth: the state, its moves (best last), the count when it was
        # entered and the size below it at which the looser game is asked.
        states, choices, starts, asks = [state], [self._choices(game, state, ends)], [1], [ASK_AFTER]
        path: list[Move] = []
        count = 1
        self._count(len(entered))
        if not state[2]:
            return "won", []
        if state in lost:
            return "lost", []
        if cyclic:
            entered.add(state)
        while True:
            size = count - starts[-1]
            if looser and size >= asks[-1] and self._lost_in_looser(level + 1, states[-1], size, asks):
                choices[-1].clear()
            if not choices[-1]:
                done = states.pop()
                choices.pop()
                starts.pop()
                asks.pop()
                if not cyclic:
                    lost.add(done)
                if not states:
                    lost |= entered
                    return "lost", []
                path.pop()
                continue
            move = choices[-1].pop()
            state, ends = settle(game, problem, step(game, problem, states[-1], move))
            count += 1
            self._count(len(entered))
            if not state[2]:
                return "won", [*path, move]
            if state in lost or state in entered:
                continue
            if count >= budget:
                return "unknown", []
            if cyclic:
                entered.add(state)
            if (looser and self._known_lost(level + 1, state)) or (
                game.knots and knotted(game, problem, state)
            ):
                if not cyclic:
                    lost.add(state)
                continue
            path.append(move)
            states.append(state)
            choices.append(self._choices(game, state, ends))
            starts.append(count)
            asks.append(ASK_AFTER)

    def _lost_in_looser(self, level: int, state: State, size: int, asks: list[int]) -> bool:
        """Ask the looser game about the last of the states being looked into; note in `asks` when to ask again."""
        answer, _ = self.run(level, _loosened(self.games[level], state), size * ASK_EFFORT)
        if answer == "lost":
            return True
        # What can be won from here can be won from above; what was too much to ask here is too much above.
        later = _NEVER if answer == "won" else 2 * size
        depth = len(asks) - 1
        while depth >= 0 and asks[depth] < later:
            asks[depth] = later
            depth -= 1
        return False

    def _known_lost(self, level: int, state: State) -> bool:
        """Say whether the looser game is already known to be lost from there."""
        game = self.games[level]
        if not self.lost[level]:
            return False
        looser, _ = settle(game, self.problem, _loosened(game, state))
        return looser in self.lost[level]

    def _choices(self, game: Game, state: State, ends: int) -> list[Move]:
        """Return the moves of a state, the most promising last; in a seeded attempt shuffled, those to foundations excepted."""
        found = moves(game, self.problem, state, ends)
        if self.random and game.arranged:
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
        return found

    def _count(self, entered: int) -> None:
        self.states += 1
        if self.states >= self.max_states:
            raise _Stop("states")
        if self.states % PULSE == 0:
            if entered + sum(map(len, self.lost)) > self.max_stored:
                raise _Stop("memory")
            if limit := self.pulse():
                raise _Stop(limit)


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
    swapped = (kinds & FIRST) << 1 | kinds >> 1 & FIRST
    return (swapped << 4 | (swapped >> CARDS - 4 if wrap else 0)) & ALL


def below(kinds: int, wrap: bool) -> int:
    """Return the kinds that may be built on those of `kinds`."""
    swapped = (kinds & FIRST) << 1 | kinds >> 1 & FIRST
    return swapped >> 4 | ((swapped & 15) << CARDS - 4 if wrap else 0)


def lowest(cards: int) -> int:
    """Return the lowest number in a set that is not empty."""
    return (cards & -cards).bit_length() - 1


def height(upcoming: int, suit: int) -> int:
    """Return how many cards the foundation of the suit at place `suit` holds."""
    waits = upcoming >> suit & FIRST
    return waits.bit_length() - 1 >> 2 if waits else 13


def safe(game: Game, upcoming: int, card: int) -> bool:
    """Say whether `card`, the next of its foundation, may go up without another thought."""
    rank, suit = card >> 2, card & 3
    if game.wrap and (game.takeback or rank == 0):
        return False
    others = min(height(upcoming, suit ^ 1), height(upcoming, suit ^ 3))
    if others >= rank and not game.takeback:
        return True
    least = 1 if game.wrap else 0
    return others >= max(rank - 1, least) and height(upcoming, suit ^ 2) >= max(rank - 2, least)


def ends_of(game: Game, table: int, bases: int, links: int) -> int:
    """Return the cards of the table that are at the end of a column, or can be brought there."""
    lying = table & ~bases
    if game.arranged:
        first, second = lying & ~links, lying & links
        covered = above((first | first >> 2) & LOW, game.wrap)
        return table & ~(covered | above((second | second >> 2) & LOW, game.wrap) << 2)
    twins, lying_twins = table >> 2, lying >> 2
    swapped = (lying | lying_twins) & LOW
    swapped = (swapped & FIRST) << 1 | swapped >> 1 & FIRST
    covered = swapped << 4 | swapped >> CARDS - 4 if game.wrap else swapped << 4
    kinds = (table | twins) & LOW & ~covered
    both = table & twins & covered & LOW
    if both and not (game.strict and _long(lying)):
        kinds |= both & ~above(lying & lying_twins & LOW, game.wrap)
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
        end = ((end >> 2) + 1) % 13 * 4 + 1 - (end & 1) + (links >> end & 1) * 2
    return True


def knotted(game: Game, problem: Problem, state: State) -> bool:
    """Say whether cards wait for each other for ever.

    Found by letting everything happen that could make way: stock, waste and what has left the reserve are at hand, what was free once stays
    free, each base that could leave lets one card of the reserve in. `hosts` are the cards that could come to
    lie open in a column. What is not up in the end never will be.
    """
    table, bases, upcoming, stock, links, reserve, _, _ = state
    lying = table & ~bases
    hosts = slots = 0
    while reserve or not game.spaces:
        before = hosts
        hosts |= ends_of(game, table, table & ~lying, links)
        hosts |= stock & _places(game, hosts)
        if not game.arranged:
            hosts |= table & ((hosts & LOW) << 2 | hosts >> 2 & LOW)
        places = _places(game, hosts)
        ready = upcoming & (hosts | stock)
        leaving = bases & (places | ready)
        bases ^= leaving
        slots += leaving.bit_count()
        while reserve:
            top = 1 << problem.reserve[reserve - 1]
            ready |= top & upcoming
            if top & places:
                hosts |= top
            elif not top & upcoming:
                if not slots:
                    break
                slots -= 1
                table |= top
                bases |= top
                hosts |= top
            stock |= top
            reserve -= 1
        if not reserve:
            hosts |= stock
        changing = 0
        if game.shifts:
            on, twin = _carried(game, hosts)
            changing = lying & (links & on | ~links & twin)
            if game.tops:
                changing &= hosts
        if not ready | changing | leaving and hosts == before:
            return upcoming != 0
        table &= ~ready
        lying &= ~(ready | changing)
        upcoming = upcoming & ~ready | ready << 4 & ALL
    return False


# What happens.


def settle(game: Game, problem: Problem, state: State, trail: list[Move] | None = None) -> tuple[State, int]:
    """Do what costs nothing: safe cards go up, and without a reserve what can free a space does so.

    Returns the state in its one form and the cards at ends; what was done is added to `trail`.
    """
    table, bases, upcoming, stock, links, reserve, waste, redeals = state
    while True:
        move = None
        ends = ends_of(game, table, bases, links)
        at_hand = 1 << problem.reserve[reserve - 1] if reserve else 0
        if game.draw == 1 and redeals == UNLIMITED:
            at_hand |= stock
        every = arrangements(game, table, bases, links) if game.shifts else ((links, ALL),)
        for here, _ in every:
            ready = upcoming & (at_hand | (ends if here == links else ends_of(game, table, bases, here)))
            if ready and (move := _safe_move(game, upcoming, ready, here)):
                break
        if move is None and len(every) > 1:
            links = min(every)[0]
            ends = ends_of(game, table, bases, links)
        leaving = 0
        if move is None and not (reserve or game.arranged) and game.fill:
            leaving = _leaving(game, table, bases) & _places(game, ends)
        if leaving:
            move = lowest(leaving), ON, links
        if move is None:
            break
        state = step(game, problem, (table, bases, upcoming, stock, links, reserve, waste, redeals), move)
        table, bases, upcoming, stock, links, reserve, waste, redeals = state
        if trail is not None:
            trail.append(move)
    left = stock.bit_count()
    if redeals >= left:
        redeals = UNLIMITED
        if waste % game.draw == 0 or waste == left:
            waste = 0
    return (table, bases, upcoming, stock, links, reserve, waste, redeals), ends


def _safe_move(game: Game, upcoming: int, ready: int, links: int) -> Move | None:
    """Return the move of the first card of `ready`, each the next of its foundation, that is safe."""
    while ready:
        card = lowest(ready)
        if safe(game, upcoming, card):
            return card, UP, links
        ready &= ready - 1
    return None


def _places(game: Game, ends: int) -> int:
    """Return the cards that can be built on one of `ends`."""
    cards = below((ends | ends >> 2) & LOW, game.wrap)
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
            for here, fresh in arrangements(game, table, bases, links)
        ]
        every.reverse()
        for _, others in every:
            ends |= others
    lying = table & ~bases
    space = not reserve and bases.bit_count() < 4
    top = 1 << problem.reserve[reserve - 1] if reserve else 0
    tops = _tops(game, upcoming) if game.takeback else 0
    leaving = _leaving(game, table, bases) if reserve or game.arranged or not game.fill else 0
    turned = _turned(game, problem, state, stock if space else stock & (upcoming | _places(game, ends)))
    # Where redeals are scarce, what shows on the waste comes before what it takes draws to reach.
    showing = _showing(problem, state, turned) if state[7] != UNLIMITED else 0
    turned ^= showing
    top |= showing
    found: list[Move] = []
    for here, ends in every:
        on, twin = _carried(game, ends) if game.arranged else (_places(game, ends), 0)
        # What touches no card of a column is the same from all arrangements.
        once = here == links
        if space and game.fill:
            if once:
                _each(found, tops, SPACE, here)
            if game.shifts:
                _each(found, lying if game.parts else lying & ends, SPACE, here)
        _each(found, tops & on, ON, here)
        _each(found, tops & twin, ON_TWIN, here)
        if space and once:
            _each(found, turned, SPACE, here)
            _each(found, showing, SPACE, here)
        _each(found, turned & on, ON, here)
        _each(found, turned & twin, ON_TWIN, here)
        if once:
            _each(found, turned & upcoming, UP, here)
        _each(found, leaving & on, ON, here)
        _each(found, leaving & twin, ON_TWIN, here)
        _each(found, top & on, ON, here)
        _each(found, top & twin, ON_TWIN, here)
        if space and game.fill and not game.arranged and not (game.strict and _long(lying)):
            _each(found, upcoming & table & ~ends, UNCOVER, here)
    for here, ends in every:
        _each(found, (top | ends if here == links else ends) & upcoming, UP, here)
    return [move for move in found if not _closes(state, move)] if game.arranged and game.wrap else found


def _each(found: list[Move], cards: int, target: int, links: int) -> None:
    """Add a move to `target` for each of `cards`, in the arrangement of `links`."""
    while cards:
        found.append((lowest(cards), target, links))
        cards &= cards - 1


def _tops(game: Game, upcoming: int) -> int:
    """Return the cards that may come back from the foundations and would not go up again at once."""
    cards = 0
    for suit in range(4):
        rank = height(upcoming, suit) - 1
        if rank >= 0:
            card = 1 << 4 * rank + suit
            if not safe(game, upcoming & ~(card << 4) | card, 4 * rank + suit):
                cards |= card
    return cards


def _turned(game: Game, problem: Problem, state: State, wanted: int) -> int:
    """Return those of the stock's cards `wanted` that can come to the top of the waste."""
    stock, waste, redeals = state[3], state[6], state[7]
    reachable = 0
    last = stock.bit_count() - 1
    while wanted:
        place = (stock & problem.below[lowest(wanted)]).bit_count()
        if _ahead(game, place, waste, last) or (redeals and (place + 1) % game.draw == 0):
            reachable |= wanted & -wanted
        wanted &= wanted - 1
    return reachable


def _showing(problem: Problem, state: State, cards: int) -> int:
    """Return the top of the waste if it is one of `cards`, else nothing."""
    stock, waste = state[3], state[6]
    while cards:
        if (stock & problem.below[lowest(cards)]).bit_count() == waste - 1:
            return cards & -cards
        cards &= cards - 1
    return 0


def _ahead(game: Game, place: int, waste: int, last: int) -> bool:
    """Say whether the card at `place` of stock and waste can be turned without a redeal."""
    return place == last or (place >= waste - 1 and (place - waste + 1) % game.draw == 0)


def _closes(state: State, move: Move) -> bool:
    """Say whether the move would put a run on a card of its own."""
    card, target, links = move
    if target not in (ON, ON_TWIN) or not state[0] >> card & 1:
        return False
    return _own(state[1], links, card, carrier(card, target))


def carrier(card: int, target: int) -> int:
    """Return the card that `card` goes on."""
    return ((card >> 2) + 1) % 13 * 4 + 1 - (card & 1) + (target == ON_TWIN) * 2


def step(game: Game, problem: Problem, state: State, move: Move) -> State:
    """Return the state after a move, not settled."""
    table, bases, upcoming, stock, _, reserve, waste, redeals = state
    card, target, links = move
    bit = 1 << card
    if target == UNCOVER:
        bases |= 1 << cover(table, bases, card)
    vacated = False
    if table & bit:
        vacated = bases & bit != 0
        table ^= bit
        bases &= ~bit
        links &= ~bit
    elif stock & bit:
        place = (stock & problem.below[card]).bit_count()
        if redeals != UNLIMITED and not _ahead(game, place, waste, stock.bit_count() - 1):
            redeals -= 1
        stock ^= bit
        waste = place
    elif reserve and problem.reserve[reserve - 1] == card:
        reserve -= 1
    else:
        upcoming = upcoming & ~(bit << 4) | bit
    if target in (UP, UNCOVER):
        upcoming = (upcoming ^ bit | bit << 4) & ALL
    else:
        table |= bit
        if target == SPACE:
            bases |= bit
        elif target == ON_TWIN:
            links |= bit
    if vacated and reserve:
        reserve -= 1
        filler = 1 << problem.reserve[reserve]
        table |= filler
        bases |= filler
    return table, bases, upcoming, stock, links, reserve, waste, redeals


def cover(table: int, bases: int, card: int) -> int:
    """Return the first card that lies on `card` or its twin, both covered."""
    kind = below(1 << (card & ~2), True)
    return lowest((kind | kind << 2) & table & ~bases)
