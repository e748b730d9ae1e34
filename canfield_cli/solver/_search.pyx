# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: infer_types=False
"""The search of _reference.py, compiled: the same moves in the same order, and so the same counts.

Read _reference.py first; functions of the same name do the same. Every number that both need
comes from _problem.py. A search keeps its stack and its table of states in plain memory and holds no lock of the interpreter;
now and then it stops to feel the pulse.
"""

from libc.stdint cimport int64_t, uint64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc, realloc

from . import _problem

NAME = "compiled"

ctypedef uint64_t Cards

cdef extern from * nogil:
    """
    #define lowest(cards) __builtin_ctzll(cards)
    #define count_of(cards) __builtin_popcountll(cards)

    #ifdef __linux__
    #include <sys/mman.h>
    #endif
    #ifdef MADV_HUGEPAGE
    /* A large table is read all over: with large pages the processor finds its way sooner. */
    static void spread(void *start, size_t bytes) {
        size_t page = 1 << 21, from = ((size_t)start + page - 1) & ~(page - 1), end = ((size_t)start + bytes) & ~(page - 1);
        if (from < end) madvise((void *)from, end - from, MADV_HUGEPAGE);
    }
    #else
    static void spread(void *start, size_t bytes) { (void)start; (void)bytes; }
    #endif
    """
    void spread(void *, size_t)
    int lowest(Cards)
    int count_of(Cards)

cdef Cards ALL = _problem.ALL
cdef Cards LOW = _problem.LOW
cdef Cards EVEN = _problem.EVEN
cdef Cards ODD = _problem.ODD
cdef int CARDS = _problem.CARDS
cdef int UNLIMITED = _problem.UNLIMITED
cdef int64_t ASK_AFTER = _problem.ASK_AFTER
cdef int64_t ASK_EFFORT = _problem.ASK_EFFORT
cdef int64_t NEVER = 1 << 62
cdef int64_t PULSE = 16384
#: The most moves that a state can have: each card to each of its targets.
cdef int MOST_MOVES = 52 * 5

cdef enum:
    UP, ON, ON_TWIN, SPACE, UNCOVER, NOWHERE

assert (UP, ON, ON_TWIN, SPACE, UNCOVER) == (
    _problem.UP, _problem.ON, _problem.ON_TWIN, _problem.SPACE, _problem.UNCOVER
)

cdef enum Outcome:
    WON, LOST, UNKNOWN, STATES, MEMORY, PULSED

cdef struct Rules:
    int draw
    bint wrap, takeback, fill, arranged, parts, tops, shifts, strict, cyclic, knots, spaces

cdef struct State:
    Cards table, bases, upcoming, stock, links
    uint8_t reserve, waste, redeals

cdef struct Move:
    Cards links
    uint8_t card, target

cdef struct Arrangement:
    Cards links, fresh

cdef struct Frame:
    State state
    int64_t first, next
    int64_t start, ask
    Move move

# The table of states: open addressing, two words a state, three where the arrangement counts.

cdef struct Table:
    uint64_t *words
    uint64_t size, used
    int width


cdef bint table_open(Table *table, int width, uint64_t size) noexcept nogil:
    table.words = <uint64_t *>calloc(size * width, sizeof(uint64_t))
    table.size, table.used, table.width = size, 0, width
    if table.words == NULL:
        return False
    spread(table.words, size * width * sizeof(uint64_t))
    return True


cdef inline void key_of(const State *state, uint64_t *key) noexcept nogil:
    """Pack a state. The second word is never 0; what is not in it follows from what is."""
    key[0] = state.table | <uint64_t>state.waste << 52 | <uint64_t>state.redeals << 58
    key[1] = state.bases | state.stock | <uint64_t>state.reserve << 52 | <uint64_t>1 << 63
    key[2] = state.links


cdef inline bint is_other(const State *state, const uint64_t *key) noexcept nogil:
    """Say whether settling has changed the state that was packed as `key`."""
    cdef uint64_t now[3]
    key_of(state, now)
    return now[0] != key[0] or now[1] != key[1] or now[2] != key[2]


cdef inline uint64_t *slot_of(const Table *table, const uint64_t *key) noexcept nogil:
    """Return where the key stands, or the free place where it would."""
    cdef uint64_t hash = key[0] * <uint64_t>0x9E3779B97F4A7C15
    cdef uint64_t place
    cdef uint64_t *words
    hash = ((hash ^ hash >> 32) + key[1]) * <uint64_t>0xD6E8FEB86659FD93
    if table.width == 3:
        hash = ((hash ^ hash >> 32) + key[2]) * <uint64_t>0xD6E8FEB86659FD93
    hash = (hash ^ hash >> 32) * <uint64_t>0xD6E8FEB86659FD93
    place = (hash ^ hash >> 29) & (table.size - 1)
    while True:
        words = table.words + place * table.width
        if words[1] == 0 or (words[1] == key[1] and words[0] == key[0] and (table.width == 2 or words[2] == key[2])):
            return words
        place = (place + 1) & (table.size - 1)


cdef bint table_grow(Table *table) noexcept nogil:
    cdef Table larger
    cdef uint64_t i
    cdef int j
    cdef uint64_t *words
    cdef uint64_t *slot
    if not table_open(&larger, table.width, table.size * 2):
        return False
    for i in range(table.size):
        words = table.words + i * table.width
        if words[1]:
            slot = slot_of(&larger, words)
            for j in range(table.width):
                slot[j] = words[j]
    larger.used = table.used
    free(table.words)
    table[0] = larger
    return True


cdef bint table_put(Table *table, const uint64_t *key, uint64_t *slot) noexcept nogil:
    """Store the key at its free slot. False when there is no memory left."""
    cdef int j
    for j in range(table.width):
        slot[j] = key[j]
    table.used += 1
    if table.used * 4 > table.size * 3:
        return table_grow(table)
    return True


cdef bint table_add(Table *table, const Table *other) noexcept nogil:
    """Store what `other` holds."""
    cdef uint64_t i
    cdef uint64_t *words
    cdef uint64_t *slot
    # All the room first: states come in the order of their hash, which would pile them up in a smaller table.
    while (table.used + other.used) * 4 > table.size * 3:
        if not table_grow(table):
            return False
    for i in range(other.size):
        words = other.words + i * other.width
        if words[1]:
            slot = slot_of(table, words)
            if slot[1] == 0 and not table_put(table, words, slot):
                return False
    return True


# Sets of cards.


cdef inline Cards swapped(Cards kinds) noexcept nogil:
    return (kinds & 1) << 1 | kinds >> 1


cdef inline Cards above(Cards kinds, bint wrap) noexcept nogil:
    return kinds << 4 & ALL | (swapped(kinds >> CARDS - 4) if wrap else 0)


cdef inline Cards below(Cards kinds, bint wrap) noexcept nogil:
    return kinds >> 4 | (swapped(kinds & 3) << CARDS - 4 if wrap else 0)


cdef inline Cards raised(Cards cards) noexcept nogil:
    return ((cards & EVEN) << 5 | (cards & ODD) << 3) & ALL


cdef inline int card_at(int place, int rank) noexcept nogil:
    """Return the card of the suit whose place in the first nibble is `place`."""
    return 4 * rank + (place ^ rank & 1)


cdef inline void heights(Cards upcoming, int *found) noexcept nogil:
    cdef int place, card
    for place in range(4):
        found[place] = 13
    while upcoming:
        card = lowest(upcoming)
        found[card & 3 ^ card >> 2 & 1] = card >> 2
        upcoming &= upcoming - 1


cdef inline bint safe(const Rules *game, Cards upcoming, int card) noexcept nogil:
    cdef int up[4]
    cdef int rank = card >> 2, place = card & 3 ^ rank & 1, least = game.wrap, others
    if game.wrap and (game.takeback or rank == 0):
        return False
    heights(upcoming, up)
    others = min(up[place ^ 1], up[place ^ 3])
    if others >= rank and not game.takeback:
        return True
    return others >= max(rank - 1, least) and up[place ^ 2] >= max(rank - 2, least)


cdef inline Cards ends_of(const Rules *game, Cards table, Cards bases, Cards links) noexcept nogil:
    cdef Cards lying = table ^ bases
    cdef Cards first, second, kinds
    if game.arranged:
        first, second = lying & ~links, lying & links
        first = above((first | first >> 2) & LOW, game.wrap)
        return table & ~(first | above((second | second >> 2) & LOW, game.wrap) << 2)
    kinds = (table | table >> 2) & LOW & ~above((lying | lying >> 2) & LOW, game.wrap)
    if not (game.strict and is_long(lying)):
        kinds |= table & table >> 2 & LOW & ~above(lying & lying >> 2 & LOW, game.wrap)
    return table & (kinds | kinds << 2)


cdef inline bint is_long(Cards lying) noexcept nogil:
    return (lying | lying >> 2) & LOW == LOW


cdef inline Cards places_of(const Rules *game, Cards ends) noexcept nogil:
    cdef Cards cards = below((ends | ends >> 2) & LOW, game.wrap)
    return cards | cards << 2


cdef inline Cards leaving_of(const Rules *game, Cards table, Cards bases) noexcept nogil:
    cdef Cards lying, missing
    if game.strict and game.wrap:
        lying = table & ~bases
        missing = LOW & ~(lying | lying >> 2)
        if missing & (missing - 1) == 0:
            return bases & ~(missing | missing << 2) if missing else 0
    return bases


cdef inline int carrier(int card, int target) noexcept nogil:
    cdef int first = card + 4 & ~2 if card < CARDS - 4 else card & 1 ^ 1
    return first + 2 if target == ON_TWIN else first


cdef bint is_own(Cards bases, Cards links, int card, int end) noexcept nogil:
    while end != card:
        if bases >> end & 1:
            return False
        end = carrier(end, ON_TWIN if links >> end & 1 else ON)
    return True


cdef inline bint closes(const State *state, const Move *move) noexcept nogil:
    if (move.target != ON and move.target != ON_TWIN) or not state.table >> move.card & 1:
        return False
    return is_own(state.bases, move.links, move.card, carrier(move.card, move.target))


cdef inline void carried(const Rules *game, Cards ends, Cards *on, Cards *twin) noexcept nogil:
    on[0], twin[0] = below(ends & LOW, game.wrap), below(ends >> 2 & LOW, game.wrap)
    on[0], twin[0] = on[0] | on[0] << 2, twin[0] | twin[0] << 2


cdef inline Cards shifting_of(const Rules *game, Cards table, Cards bases, Cards links) noexcept nogil:
    cdef Cards ends = ends_of(game, table, bases, links), on, twin
    carried(game, ends, &on, &twin)
    return table & ~bases & (links & on | ~links & twin) & (ALL if game.parts else ends)


# The search.


cdef inline void rewind(int draw, State *state) noexcept nogil:
    """Give waste and redeals their one form, as `rewound` in _problem.py."""
    cdef int left = count_of(state.stock)
    if state.redeals >= left:
        state.redeals = UNLIMITED
        if state.waste % draw == 0 or state.waste == left:
            state.waste = 0


cdef inline bint is_ahead(int draw, int place, int waste, int last) noexcept nogil:
    return place == last or (place >= waste - 1 and (place - waste + 1) % draw == 0)


cdef enum:
    MOST_GAMES = 4
    MOST_RESERVE = 13

cdef class _Search:
    cdef Rules rules[MOST_GAMES]
    cdef Table lost[MOST_GAMES]
    cdef Table entered[MOST_GAMES]
    cdef int levels
    cdef Cards tops[MOST_RESERVE + 1]
    cdef Cards below[52]
    cdef Frame *frames
    cdef Move *moves
    cdef Arrangement *every
    cdef int64_t frame_room, move_room, every_room
    cdef int64_t depth
    cdef bint full
    cdef int64_t states, next, max_states, max_stored
    cdef uint64_t random
    cdef object pulse
    cdef str pulsed
    cdef object raised

    def __cinit__(self, problem, games, max_states, max_stored, pulse):
        cdef int i
        if len(games) > MOST_GAMES or len(problem.tops) > MOST_RESERVE + 1:
            raise ValueError
        self.levels = len(games)
        for i, game in enumerate(games):
            self.rules[i] = Rules(
                draw=game.draw, wrap=game.wrap, takeback=game.takeback, fill=game.fill, arranged=game.arranged,
                parts=game.parts, tops=game.tops, shifts=game.shifts, strict=game.strict, cyclic=game.cyclic, knots=game.knots, spaces=game.spaces,
            )
            if not table_open(&self.lost[i], 3 if game.arranged else 2, 256):
                raise MemoryError
        for i, top in enumerate(problem.tops):
            self.tops[i] = top
        for i in range(CARDS):
            self.below[i] = problem.below[i]
        self.frame_room, self.move_room, self.every_room = 256, 256 * 32 + MOST_MOVES, 16
        self.frames = <Frame *>malloc(self.frame_room * sizeof(Frame))
        self.moves = <Move *>malloc(self.move_room * sizeof(Move))
        self.every = <Arrangement *>malloc(self.every_room * sizeof(Arrangement))
        self.full = False
        if self.frames == NULL or self.moves == NULL or self.every == NULL:
            raise MemoryError
        self.max_states, self.max_stored = max_states, max_stored
        self.next = min(PULSE, self.max_states)
        self.pulse = pulse
        self.random = 0
        self.pulsed = ""

    def __dealloc__(self):
        cdef int i
        for i in range(self.levels):
            free(self.lost[i].words)
            free(self.entered[i].words)
        free(self.frames)
        free(self.moves)
        free(self.every)

    cdef Outcome feel(self) noexcept with gil:
        """Call `pulse`. What it raises, but for a KeyboardInterrupt, is kept for `search` to raise."""
        try:
            self.pulsed = self.pulse()
        except KeyboardInterrupt:
            self.pulsed = "interrupted"
        except BaseException as error:
            self.raised = error
            return PULSED
        return PULSED if self.pulsed else UNKNOWN

    cdef Outcome run(self, int level, State root, int64_t budget, int64_t bottom) noexcept nogil:
        """Search from `root` on the frames from `bottom` on. WON leaves the moves there, up to `self.depth`."""
        cdef Table *entered = &self.entered[level]
        cdef Outcome outcome
        if self.rules[level].cyclic and not table_open(entered, self.lost[level].width, 256):
            return MEMORY
        outcome = self.enter(level, &root, bottom)
        if outcome == UNKNOWN:
            outcome = self.descend(level, budget, bottom)
        if outcome == LOST and level and entered.words != NULL and not table_add(&self.lost[level], entered):
            outcome = MEMORY
        free(entered.words)
        entered.words, entered.used = NULL, 0
        return outcome

    cdef Outcome enter(self, int level, State *root, int64_t bottom) noexcept nogil:
        """Settle the root and make the frame at `bottom` for it; UNKNOWN when there is something to search."""
        cdef Rules *game = &self.rules[level]
        cdef Cards ends = self.settle(game, root)
        cdef Outcome outcome = self.limits()
        cdef uint64_t key[3]
        cdef uint64_t *slot
        if outcome != UNKNOWN:
            return outcome
        if root.upcoming == 0:
            self.depth = bottom
            return WON
        key_of(root, key)
        slot = slot_of(&self.lost[level], key)
        if slot[1]:
            return LOST
        if self.is_dead(level, root, ends):
            return LOST if table_put(&self.lost[level], key, slot) else MEMORY
        if game.cyclic and not table_put(&self.entered[level], key, slot_of(&self.entered[level], key)):
            return MEMORY
        return UNKNOWN if self.push(game, bottom, root, ends, 1) else MEMORY

    cdef Outcome descend(self, int level, int64_t budget, int64_t bottom) noexcept nogil:
        """Search below the frame at `bottom`."""
        cdef Rules *game = &self.rules[level]
        cdef Table *lost = &self.lost[level]
        cdef Table *entered = &self.entered[level]
        cdef bint looser = level + 1 < self.levels
        cdef int64_t depth = bottom, count = 1
        cdef Frame *frame
        cdef Outcome outcome
        cdef State state
        cdef Cards ends
        cdef uint64_t key[3]
        cdef uint64_t *slot
        while True:
            frame = &self.frames[depth]
            if looser and count >= frame.ask:
                if (outcome := self.ask(level + 1, depth, bottom, count)) != UNKNOWN:
                    return outcome
                frame = &self.frames[depth]
            if frame.next == frame.first:
                if not game.cyclic:
                    key_of(&frame.state, key)
                    slot = slot_of(lost, key)
                    if slot[1] == 0 and not table_put(lost, key, slot):
                        return MEMORY
                if depth == bottom:
                    return LOST
                depth -= 1
                continue
            frame.next -= 1
            frame.move = self.moves[frame.next]
            state = frame.state
            self.step(game, &state, &frame.move)
            count += 1
            if (outcome := self.limits()) != UNKNOWN:
                return outcome
            key_of(&state, key)
            # Most states that come again are settled from the start.
            if (slot := self.place_of(level, key)) == NULL:
                continue
            ends = self.settle(game, &state)
            if state.upcoming == 0:
                self.depth = depth + 1
                return WON
            if is_other(&state, key):
                key_of(&state, key)
                if (slot := self.place_of(level, key)) == NULL:
                    continue
            if count >= budget:
                return UNKNOWN
            if self.is_dead(level, &state, ends):
                if not table_put(entered if game.cyclic else lost, key, slot):
                    return MEMORY
                continue
            if game.cyclic and not table_put(entered, key, slot):
                return MEMORY
            depth += 1
            if not self.push(game, depth, &state, ends, count):
                return MEMORY

    cdef inline uint64_t *place_of(self, int level, const uint64_t *key) noexcept nogil:
        """Return where a new state would be stored; NULL when it is known."""
        cdef uint64_t *slot = slot_of(&self.lost[level], key)
        if slot[1] == 0 and self.rules[level].cyclic:
            slot = slot_of(&self.entered[level], key)
        return NULL if slot[1] else slot

    cdef bint push(self, const Rules *game, int64_t depth, const State *state, Cards ends, int64_t count) noexcept nogil:
        """Make the frame at `depth`, the first that is not in use. False when there is no memory left."""
        cdef Frame *frame
        if depth >= self.frame_room and not self.make_room():
            return False
        frame = &self.frames[depth]
        frame.state, frame.start, frame.ask = state[0], count, count + ASK_AFTER
        frame.first = self.frames[depth - 1].next if depth else 0
        frame.next = self.gather(game, state, ends, frame.first)
        return not self.full

    cdef Outcome ask(self, int level, int64_t depth, int64_t bottom, int64_t count) noexcept nogil:
        """Ask the looser game about the frame at `depth`. UNKNOWN goes on, with no moves left if it is lost."""
        cdef Frame *frame = &self.frames[depth]
        cdef int64_t size = count - frame.start, later
        cdef Outcome outcome = self.run(level, loosened(&self.rules[level], &frame.state), size * ASK_EFFORT, depth + 1)
        if outcome == LOST:
            frame = &self.frames[depth]
            frame.next = frame.first
        elif outcome == WON or outcome == UNKNOWN:
            later = NEVER if outcome == WON else 2 * size
            while depth >= bottom and self.frames[depth].ask < self.frames[depth].start + later:
                self.frames[depth].ask = self.frames[depth].start + later
                depth -= 1
        else:
            return outcome
        return UNKNOWN

    cdef inline bint is_dead(self, int level, const State *state, Cards ends) noexcept nogil:
        return (level + 1 < self.levels and self.is_known_lost(level + 1, state)) or (
            self.rules[level].knots and self.knotted(&self.rules[level], state, ends)
        )

    cdef int64_t arrange(self, const Rules *game, Cards table, Cards bases, Cards links) noexcept nogil:
        """Write what `arrangements` returns to `every`; return how many they are. Sets `full` when there is no memory left."""
        cdef int64_t known = 1, at = 0, i
        cdef Arrangement *larger
        cdef Cards here, shifting, bit
        cdef int card, old, new
        self.every[0] = Arrangement(links, ALL)
        while at < known:
            here = self.every[at].links
            at += 1
            shifting = shifting_of(game, table, bases, here)
            while shifting:
                bit = shifting & -shifting
                card = lowest(bit)
                shifting ^= bit
                old, new = (ON_TWIN, ON) if here & bit else (ON, ON_TWIN)
                if game.wrap and is_own(bases, here, card, carrier(card, new)):
                    continue
                for i in range(known):
                    if self.every[i].links == here ^ bit:
                        break
                else:
                    if known == self.every_room:
                        larger = <Arrangement *>realloc(self.every, 2 * self.every_room * sizeof(Arrangement))
                        if larger == NULL:
                            self.full = True
                            return known
                        self.every = larger
                        self.every_room *= 2
                    self.every[known] = Arrangement(here ^ bit, ALL if game.parts else bit | <Cards>1 << carrier(card, old))
                    known += 1
        return known

    cdef inline bint is_known_lost(self, int level, const State *state) noexcept nogil:
        cdef State looser = loosened(&self.rules[level], state)
        cdef uint64_t key[3]
        self.settle(&self.rules[level], &looser)
        key_of(&looser, key)
        return slot_of(&self.lost[level], key)[1] != 0

    cdef bint make_room(self) noexcept nogil:
        cdef Frame *frames = <Frame *>realloc(self.frames, 2 * self.frame_room * sizeof(Frame))
        if frames == NULL:
            return False
        self.frames = frames
        self.frame_room *= 2
        return True

    cdef bint make_move_room(self) noexcept nogil:
        cdef Move *moves = <Move *>realloc(self.moves, 2 * self.move_room * sizeof(Move))
        if moves == NULL:
            return False
        self.moves = moves
        self.move_room *= 2
        return True

    cdef inline Outcome limits(self) noexcept nogil:
        """Count a state; now and then look at the other limits. UNKNOWN when none is hit."""
        cdef int level
        cdef int64_t stored = 0
        self.states += 1
        if self.states < self.next:
            return UNKNOWN
        if self.states >= self.max_states:
            return STATES
        for level in range(self.levels):
            stored += self.lost[level].used + self.entered[level].used
        if stored > self.max_stored:
            return MEMORY
        self.next = min(self.states + PULSE, self.max_states)
        return self.feel()

    cdef inline Cards settle(self, const Rules *game, State *state) noexcept nogil:
        """Settle `state` in place; return the cards at ends."""
        cdef Cards ends, ready, at_hand
        cdef Move move
        cdef int64_t count = 1, i
        while True:
            move.target = NOWHERE
            if game.shifts:
                count = self.arrange(game, state.table, state.bases, state.links)
            ends = ends_of(game, state.table, state.bases, state.links)
            at_hand = self.tops[state.reserve]
            if game.draw == 1 and state.redeals == UNLIMITED:
                at_hand |= state.stock
            move.links = state.links
            for i in range(count):
                if i:
                    move.links = self.every[i].links
                    ready = ends_of(game, state.table, state.bases, move.links)
                else:
                    ready = ends
                ready = (ready | at_hand) & state.upcoming
                while ready:
                    move.card = lowest(ready)
                    ready &= ready - 1
                    if safe(game, state.upcoming, move.card):
                        move.target = UP
                        break
                if move.target == UP:
                    break
            if move.target == NOWHERE and not (state.reserve or game.arranged) and game.fill:
                ready = leaving_of(game, state.table, state.bases) & places_of(game, ends)
                if ready:
                    move.card, move.target = lowest(ready), ON
            if move.target == NOWHERE:
                break
            self.step(game, state, &move)
        for i in range(1, count):
            state.links = min(state.links, self.every[i].links)
        if count > 1:
            ends = ends_of(game, state.table, state.bases, state.links)
        return ends

    cdef inline int64_t each(self, int64_t at, Cards cards, int target, Cards links) noexcept nogil:
        while cards:
            self.moves[at] = Move(links, lowest(cards), target)
            at += 1
            cards &= cards - 1
        return at

    cdef int64_t gather(self, const Rules *game, const State *state, Cards ends, int64_t first) noexcept nogil:
        """Write the moves of a settled state from `first` on, the most promising last; return where they end."""
        cdef Cards lying = state.table ^ state.bases
        cdef bint space = state.reserve == 0 and count_of(state.bases) < 4
        cdef Cards top = self.tops[state.reserve]
        cdef Cards tops = tops_of(game, state.upcoming) if game.takeback else 0
        cdef Cards leaving = 0, on, twin = 0, turned, showing = 0, here
        cdef int64_t at = first, i, count = 1
        cdef bint once
        if game.shifts:
            count = self.arrange(game, state.table, state.bases, state.links)
            for i in range(count):
                self.every[i].fresh &= ends_of(game, state.table, state.bases, self.every[i].links)
                ends |= self.every[i].fresh
        else:
            self.every[0] = Arrangement(state.links, ends)
        while at + (count + 1) * MOST_MOVES > self.move_room:
            if not self.make_move_room():
                self.full = True
                return first
        if state.reserve or game.arranged or not game.fill:
            leaving = leaving_of(game, state.table, state.bases)
        turned = self.turned_of(game, state, state.stock if space else state.stock & (state.upcoming | places_of(game, ends)))
        if state.redeals != UNLIMITED:
            showing = self.showing_of(state, turned)
            turned ^= showing
            top |= showing
        for i in range(count - 1, -1, -1):
            here, ends = self.every[i].links, self.every[i].fresh
            once = i == 0
            if game.arranged:
                carried(game, ends, &on, &twin)
            else:
                on = places_of(game, ends)
            if space and game.fill:
                if once:
                    at = self.each(at, tops, SPACE, here)
                if game.shifts:
                    at = self.each(at, lying if game.parts else lying & ends, SPACE, here)
            at = self.each(at, tops & on, ON, here)
            at = self.each(at, tops & twin, ON_TWIN, here)
            if space and once:
                at = self.each(at, turned, SPACE, here)
                at = self.each(at, showing, SPACE, here)
            at = self.each(at, turned & on, ON, here)
            at = self.each(at, turned & twin, ON_TWIN, here)
            if once:
                at = self.each(at, turned & state.upcoming, UP, here)
            at = self.each(at, leaving & on, ON, here)
            at = self.each(at, leaving & twin, ON_TWIN, here)
            at = self.each(at, top & on, ON, here)
            at = self.each(at, top & twin, ON_TWIN, here)
            if space and game.fill and not game.arranged and not (game.strict and is_long(lying)):
                at = self.each(at, state.upcoming & state.table & ~ends, UNCOVER, here)
        for i in range(count - 1, -1, -1):
            at = self.each(at, (self.every[i].fresh | (0 if i else top)) & state.upcoming, UP, self.every[i].links)
        if game.arranged and game.wrap:
            i, at = at, first
            for i in range(first, i):
                if not closes(state, &self.moves[i]):
                    self.moves[at] = self.moves[i]
                    at += 1
        if self.random and game.arranged:
            self.shuffle(first, at)
        return at

    cdef inline void shuffle(self, int64_t first, int64_t end) noexcept nogil:
        """Shuffle the moves but those to foundations, which stay the most promising."""
        cdef int64_t other
        cdef Move move
        while end > first and self.moves[end - 1].target == UP:
            end -= 1
        while end > first + 1:
            self.random ^= self.random << 13
            self.random ^= self.random >> 7
            self.random ^= self.random << 17
            other = first + <int64_t>(self.random % <uint64_t>(end - first))
            end -= 1
            move = self.moves[end]
            self.moves[end] = self.moves[other]
            self.moves[other] = move

    cdef bint knotted(self, const Rules *game, const State *state, Cards ends) noexcept nogil:
        """Say whether cards wait for each other for ever; see _reference.py."""
        cdef Cards table = state.table, bases = state.bases, lying = table ^ bases, up = state.upcoming
        cdef Cards stock = state.stock, at_hand = self.turned_of(game, state, stock), hidden = stock ^ at_hand
        cdef Cards hosts = 0, found, places, leaving, ready, gone, going, opened, changing, before, on, twin, top
        cdef int reserve = state.reserve, slots = 0
        while reserve or not game.spaces:
            before = hosts
            hosts |= ends
            if not game.arranged:
                hosts |= table & ((hosts & LOW) << 2 | (hosts >> 2 & LOW))
            places = places_of(game, hosts)
            while found := at_hand & places & ~hosts:
                hosts |= found
                places = places_of(game, hosts)
            gone = 0
            while ready := up & (hosts | at_hand):
                gone |= ready
                up = up ^ ready | raised(ready)
            leaving = bases & (places | gone)
            bases ^= leaving
            slots += count_of(leaving)
            opened = 0
            if hidden and (going := at_hand & (places | gone) & stock):
                stock &= self.below[self.earliest(going)]
                opened = hidden & (~stock | self.latest(stock))
            while reserve:
                top = self.tops[reserve]
                if top & places:
                    pass
                elif top & up:
                    gone |= top
                    up = up ^ top | raised(top)
                elif slots:
                    slots -= 1
                    table |= top
                    bases |= top
                else:
                    break
                hosts |= top
                at_hand |= top
                reserve -= 1
            if reserve == 0:
                if game.spaces:
                    return False
                opened = hidden
                hosts |= at_hand | hidden
            at_hand |= opened
            hidden ^= opened
            changing = 0
            if game.shifts:
                carried(game, hosts, &on, &twin)
                changing = lying & (state.links & on | ~state.links & twin)
                if game.tops:
                    changing &= hosts
            if not (gone | changing | leaving | opened) and hosts == before:
                return up != 0
            table &= ~gone
            lying &= ~(gone | changing)
            ends = ends_of(game, table, table & ~lying, state.links)
        return False

    cdef inline int earliest(self, Cards cards) noexcept nogil:
        cdef Cards earlier
        while earlier := cards & self.below[lowest(cards)]:
            cards = earlier
        return lowest(cards)

    cdef inline Cards latest(self, Cards cards) noexcept nogil:
        cdef Cards later
        while cards and (later := cards & ~(self.below[lowest(cards)] | cards & -cards)):
            cards = later
        return cards & -cards

    cdef inline Cards turned_of(self, const Rules *game, const State *state, Cards wanted) noexcept nogil:
        cdef Cards reachable = 0
        cdef int place, last = count_of(state.stock) - 1
        if game.draw == 1 and state.redeals:
            return wanted
        while wanted:
            place = count_of(state.stock & self.below[lowest(wanted)])
            if is_ahead(game.draw, place, state.waste, last) or (state.redeals and (place + 1) % game.draw == 0):
                reachable |= wanted & -wanted
            wanted &= wanted - 1
        return reachable

    cdef inline Cards showing_of(self, const State *state, Cards cards) noexcept nogil:
        while cards:
            if count_of(state.stock & self.below[lowest(cards)]) == state.waste - 1:
                return cards & -cards
            cards &= cards - 1
        return 0

    cdef inline void step(self, const Rules *game, State *state, const Move *move) noexcept nogil:
        cdef int card = move.card, target = move.target
        cdef Cards bit = <Cards>1 << card
        cdef Cards filler
        cdef bint vacated = False
        cdef int place
        state.links = move.links
        if target == UNCOVER:
            filler = below(<Cards>1 << (card & ~2), True)
            filler = (filler | filler << 2) & state.table & ~state.bases
            state.bases |= filler & -filler
        if state.table & bit:
            vacated = state.bases & bit != 0
            state.table ^= bit
            state.bases &= ~bit
            state.links &= ~bit
        elif state.stock & bit:
            place = count_of(state.stock & self.below[card])
            if state.redeals != UNLIMITED and not is_ahead(game.draw, place, state.waste, count_of(state.stock) - 1):
                state.redeals -= 1
            state.stock ^= bit
            state.waste = place
            rewind(game.draw, state)
        elif bit == self.tops[state.reserve]:
            state.reserve -= 1
        else:
            state.upcoming = state.upcoming & ~raised(bit) | bit
        if target == UP or target == UNCOVER:
            state.upcoming = state.upcoming ^ bit | raised(bit)
        else:
            state.table |= bit
            if target == SPACE:
                state.bases |= bit
            elif target == ON_TWIN:
                state.links |= bit
        if vacated and state.reserve:
            filler = self.tops[state.reserve]
            state.reserve -= 1
            state.table |= filler
            state.bases |= filler


cdef inline Cards tops_of(const Rules *game, Cards upcoming) noexcept nogil:
    cdef Cards cards = 0, card
    cdef int place, number
    cdef int up[4]
    heights(upcoming, up)
    for place in range(4):
        if up[place]:
            number = card_at(place, up[place] - 1)
            card = <Cards>1 << number
            if not safe(game, upcoming & ~raised(card) | card, number):
                cards |= card
    return cards


cdef inline State loosened(const Rules *game, const State *state) noexcept nogil:
    cdef State looser = state[0]
    if not game.arranged:
        looser.links = 0
    if game.draw == 1:
        looser.waste, looser.redeals = 0, UNLIMITED
    return looser


def search(problem, games, attempts, max_states, max_stored, pulse):
    """Do what `_reference.search` does."""
    cdef _Search run = _Search(problem, games, max_states, max_stored, pulse)
    cdef State root
    cdef Outcome outcome = UNKNOWN
    cdef int64_t i, own
    (root.table, root.bases, root.upcoming, root.stock, root.links, root.reserve, root.waste, root.redeals) = problem.state
    for budget, random in attempts:
        own, run.random = budget, random
        with nogil:
            outcome = run.run(0, root, own, 0)
        if outcome != UNKNOWN:
            break
    if run.raised is not None:
        raise run.raised
    moves = [(run.frames[i].move.card, run.frames[i].move.target, run.frames[i].move.links) for i in range(run.depth)] if outcome == WON else []
    name = {UNKNOWN: "unknown", WON: "won", LOST: "lost", STATES: "states", MEMORY: "memory", PULSED: run.pulsed}[outcome]
    return name, moves, run.states
