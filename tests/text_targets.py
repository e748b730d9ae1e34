"""The readers of texts that stand for themselves: saves, deals, positions, codes, actions, records, JSON, names of players."""

import contextlib
import json
import random
import re

from soundness import (
    assert_harmless,
    assert_kept,
    assert_printable,
    facts,
    sound_deal,
    sound_game,
    sound_pack,
)
from spoiling import ODD, odd_value, spoil_json, spoil_text
from target import ACTIONS, CARDS, WORDS, JsonTarget, Target

from canfield_cli.engine.cards import PACK, RANKS
from canfield_cli.engine.deal import Deal, deal_seed
from canfield_cli.engine.dealcode import ALPHABET, format_code, parse_code
from canfield_cli.engine.dealtext import parse_deal
from canfield_cli.engine.errors import CanfieldError, NotationError, SaveError
from canfield_cli.engine.game import Game
from canfield_cli.engine.jsontext import JsonFault, read_json, write_json
from canfield_cli.engine.notation import (
    format_action,
    format_position,
    parse_action,
    parse_actions,
    parse_pile,
    parse_position,
    parse_token,
)
from canfield_cli.engine.record import TAGS, format_record, parse_record
from canfield_cli.engine.rules import preset
from canfield_cli.engine.state import format_state
from canfield_cli.engine.tally import parse_player
from canfield_cli.store.save import format_save, parse_save


class Save(JsonTarget):
    def make(self, rng):
        return format_save(sound_game(rng))

    def read(self, text):
        assert_kept(parse_save(text))


class _Deals(Target):
    """What `new --deal` reads."""

    RULES = preset()

    def __init__(self, folder):
        super().__init__(folder)
        self.kept = set()

    def read(self, text):
        read = parse_deal(text, self.RULES)
        if isinstance(read, Deal):
            assert sorted(read.cards) == sorted(PACK)
            assert parse_deal(" ".join(read.cards), self.RULES) == read
            self._keep(Game.of(read, self.RULES))
        else:
            assert parse_deal(format_position(read), self.RULES) == read
            self._keep(Game(read))

    def _keep(self, game):
        """Have `game` kept, unless it began like one that was: most of what is taken does."""
        start = format_position(game.start), game.deal and game.deal.seed
        if start not in self.kept:
            if len(self.kept) > 10_000:
                self.kept.clear()
            self.kept.add(start)
            assert_kept(game)


class State(JsonTarget, _Deals):
    """States, in their envelopes and bare, and saves as deals."""

    words = (*WORDS, "format", "canfield-state", "canfield-save", "state", "deal", "position", "seed", "cards",
             "count")  # fmt: skip

    def make(self, rng):
        game = sound_game(rng)
        state = format_state(game, reveal=rng.random() < 0.9)
        return rng.choice((json.dumps(state), json.dumps({"ok": True, "state": state}), format_save(game)))


class Cards(_Deals):
    """Deals as 52 cards, in text and in JSON."""

    words = (*CARDS, "#", ",", ";", "\n", "[", "]", '"', "\ufe0f")

    def make(self, rng):
        pack = sound_pack(rng)
        return rng.choice(
            (" ".join(pack), "\n".join(pack), "".join(pack), json.dumps(pack), f"# a deal\n{','.join(pack)}")
        )


class Solvitaire(JsonTarget, _Deals):
    words = (*CARDS, "1S", "11H", "12c", "13D", "14H", "tableau piles", "foundations", "reserve", "stock",
             "waste")  # fmt: skip

    def make(self, rng):
        position = sound_game(rng).position
        deal = {
            "foundations": [position.foundation(suit) for suit in range(4)],
            "tableau piles": position.columns,
            "reserve": position.reserve,
            "stock": position.stock,
            "waste": position.waste,
        }
        return json.dumps(deal)


class Line(_Deals):
    """Position lines."""

    words = (*CARDS, *RANKS, "/", "-", "----", "0", "1000000", "10")

    def make(self, rng):
        return format_position(sound_game(rng).position)

    def read(self, text):
        with contextlib.suppress(NotationError):
            position = parse_position(text, self.RULES)
            assert parse_position(format_position(position), self.RULES) == position
            # Nobody asks for those of far too many cards.
            for fault in position.faults() if len(text) < 10_000 else ():
                assert_printable(fault)
        super().read(text)


class Code(Target):
    words = (*ALPHABET, "CAN", "D3", "D1", "CF1", "-", "\u2013", " ", "O", "I", "can-")
    is_file = False

    def make(self, rng):
        return format_code(sound_deal(rng), rng.choice((1, 3)))

    def read(self, text):
        deal, draw = parse_code(text)
        canonical = format_code(deal, draw)
        assert parse_code(canonical) == (deal, draw)
        bare = "".join(c for c in text if not c.isspace() and c not in "-\u2010\u2011\u2013\u2014")
        assert canonical.replace("-", "") == bare.upper()
        assert bare.isascii()


class Notation(Target):
    """Piles, tokens and actions, alone and many after each other, against positions of every kind."""

    is_file = False
    words = (*CARDS, *ACTIONS, " ", "-", "x")

    def __init__(self, folder):
        super().__init__(folder)
        rng = random.Random(1)
        self.positions = [sound_game(rng, 60).position for _ in range(8)]

    def make(self, rng):
        position = rng.choice(self.positions)
        legal = position.legal()
        if not legal:
            return "draw"
        action = rng.choice(legal)
        return rng.choice((action, format_action(action, position), f"{action} {rng.choice(ACTIONS)}"))

    def read(self, text):
        position = self.positions[len(text) % len(self.positions)]
        readings = (self._pile, self._token, self._action, self._actions)
        refusals = []
        for reading in readings:
            try:
                reading(text, position)
            except CanfieldError as error:
                assert_harmless(error)
                refusals.append(error)
        if len(refusals) == len(readings):
            raise refusals[-1]

    def _pile(self, text, _):
        pile = parse_pile(text)
        assert parse_pile(pile) == pile

    def _token(self, text, _):
        assert parse_token(text) == text

    def _action(self, text, position):
        action = parse_action(text, position)
        # A count or a foundation that is left open is all that a position adds; then the token is whole.
        assert parse_token(action) == action
        if action in position.legal():
            assert parse_action(format_action(action, position), position) == action

    def _actions(self, text, position):
        for action in parse_actions(text.split(), position):
            position, _ = position.apply(action)
            assert not position.faults()


class Record(Target):
    words = (*WORDS, *TAGS, "won", "stuck", "open", "[", "]", '"', ";", "{", "1.", "2.", "\n", "2026-11-30T07:46:07Z",
             '\n[Floor "3"]\n', '\n[Seconds "1e300"]\n')  # fmt: skip

    def make(self, rng):
        return format_record(sound_game(rng))

    def spoil(self, rng, text, other):
        values = [found.span(1) for found in re.finditer(r'"([^"\n]*)"', text[:20_000])]
        if not values or rng.random() < 0.6:
            return spoil_text(rng, text, other, self.words)
        start, end = rng.choice(values)
        value = rng.choice(
            (str(10 ** rng.randrange(16)), rng.choice(self.words), rng.choice(ODD), text[start:end] + "0")
        )
        return text[:start] + value + text[end:]

    def read(self, text):
        game = parse_record(text)
        again = parse_record(format_record(game))
        assert facts(again) == facts(game)
        assert_printable(format_record(game), "\n")
        assert_kept(game)


class Scanner(Target):
    """JSON, against `json` itself as the judge."""

    words = ('"a"', "1", "-1.5e3", "true", "null", "{", "}", "[", "]", ":", ",", '"\\ud800"', '"\\u0000"', "\\", "1e400",
             '{"a":1,"a":2}', "[[[[", "1" * 30)  # fmt: skip

    def make(self, rng):
        if rng.random() < 0.3:
            return format_save(sound_game(rng, 5))
        return json.dumps(odd_value(rng, '[1, {"a": [null]}]', self.words))

    def spoil(self, rng, text, other):
        return rng.choice((spoil_json, spoil_text))(rng, text, other, self.words)

    def read(self, text):
        try:
            value = read_json(text)
        except JsonFault as fault:
            refused = SaveError(f"the text {fault}{fault.place(text)}", "mend it")
            with contextlib.suppress(ValueError, RecursionError):
                value = json.loads(text, object_pairs_hook=self._once, parse_int=self._short,
                                   parse_float=self._finite, parse_constant=self._none)  # fmt: skip
                if self._depth(value) <= 100:
                    raise AssertionError("json takes what was refused") from fault
            raise refused from fault
        assert json.dumps(json.loads(text), sort_keys=True) == json.dumps(value, sort_keys=True)
        assert write_json(value).isascii()
        assert json.dumps(read_json(write_json(value))) == json.dumps(value)

    def _depth(self, value):
        if not isinstance(value, dict | list):
            return 0
        return 1 + max(map(self._depth, value.values() if isinstance(value, dict) else value), default=0)

    @staticmethod
    def _once(pairs):
        if len({key for key, _ in pairs}) < len(pairs):
            raise ValueError
        return dict(pairs)

    @staticmethod
    def _short(text):
        if len(text.lstrip("-")) > 15:
            raise ValueError
        return int(text)

    @staticmethod
    def _finite(text):
        if abs(float(text)) == float("inf"):
            raise ValueError
        return float(text)

    @staticmethod
    def _none(text):
        raise ValueError(text)


class Player(Target):
    words = ("Ann", "Łukasz", " ", "{", "`", "'", ";", "DROP TABLE games", "--")
    is_file = False

    def __init__(self, folder):
        super().__init__(folder)
        self.game = Game.of(deal_seed(7), preset())
        self.letters = set()

    def make(self, rng):
        return rng.choice(("Ann", "Łukasz", " Béla ", "a b", ""))

    def read(self, text):
        name = parse_player(text)
        assert parse_player(name) == name
        assert_printable(name)
        assert read_json(write_json(name)) == name
        # A whole save says no more of it, but for a letter that has not come before.
        if not self.letters.issuperset(name):
            self.letters.update(name)
            self.game.tally.player = name
            assert_kept(self.game)
