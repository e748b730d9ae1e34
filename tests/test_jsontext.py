"""Reading and writing JSON, by the quick way and by the usual one, against `json` itself."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from canfield_cli.engine import jsontext
from canfield_cli.engine.jsontext import JsonFault, read_json, write_json

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**14), 10**14)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@pytest.fixture(params=["quick", "usual"])
def codec(request, monkeypatch):
    scan, encode = getattr(jsontext, f"_{request.param}")()
    monkeypatch.setattr(jsontext, "_scan", scan)
    monkeypatch.setattr(jsontext, "_encode", encode)


def test_this_interpreter_has_the_quick_way():
    assert jsontext._scan.__class__.__module__ == "_json"


@pytest.mark.parametrize("way", ["_quick", "_usual"])
@given(value=VALUES)
def test_what_is_written_is_what_json_writes_and_is_read_back(way, value):
    scan, encode = getattr(jsontext, way)()
    assert encode(value) == json.dumps(value)
    assert scan(json.dumps(value), 0) == (value, len(json.dumps(value)))


@given(VALUES, st.sampled_from([None, 1]))
def test_json_of_any_layout_is_read(value, indent):
    assert read_json(f" \n{json.dumps(value, indent=indent)}\t\r\n") == value
    assert read_json(write_json(value)) == value


@pytest.mark.usefixtures("codec")
@pytest.mark.parametrize(
    ("text", "says", "place"),
    [
        ("", "is not JSON", ", see line 1, column 1"),
        ("{", "is not JSON", ", see line 1, column 2"),
        ('{"a": 1,\n "b" 2}', "is not JSON", ", see line 2, column 6"),
        ("[1] \n [", "goes on after its end", ", see line 2, column 2"),
        ('{"a": 1, "a": 2}', "has the key `a` twice", ""),
        ("[NaN]", "says NaN, which is not a number", ""),
        ("[Infinity]", "says Infinity, which is not a number", ""),
        ("[1e999]", "has the number `1e999`, which is too large", ""),
        ("9" * 16, "has a number of 16 digits, `999999999999999` and so on", ""),
        ("[" * 100_000, "is nested too deeply", ""),
        ('{"a":' * 100_000, "is nested too deeply", ""),
        ("[" * 101 + "]" * 101, "is nested too deeply", ""),
        ('[{"a":' * 50 + "[]" + "}]" * 50, "is nested too deeply", ""),
    ],
)
def test_what_is_refused_is_said_and_where(text, says, place):
    with pytest.raises(JsonFault) as caught:
        read_json(text)
    assert str(caught.value) == says
    assert caught.value.place(text) == place


@pytest.mark.usefixtures("codec")
@pytest.mark.parametrize(
    "text",
    [
        "[" * 100 + "]" * 100,
        # More of them than that, but no deeper.
        "[[], " + "[" * 99 + "]" * 100,
        '[{"a":' * 50 + "1" + "}]" * 50,
        '["' + "[{" * 1000 + '"]',
        "[" + "[{}]," * 1000 + "[]]",
    ],
)
def test_a_hundred_lists_and_objects_in_each_other_are_read(text):
    assert read_json(text) == json.loads(text)


@pytest.mark.usefixtures("codec")
@pytest.mark.parametrize("value", [float("nan"), float("inf"), object(), [{1}], {(1, 2): 3}])
def test_what_has_no_form_in_json_is_not_written(value):
    with pytest.raises((ValueError, TypeError)):
        write_json(value)
