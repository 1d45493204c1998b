"""A value is put into somebody's JSON file and taken out again; every other byte stays."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.errors import ConfigError
from commonplace.jsontext import loads, with_member, without_member

SETTINGS = """\
{
    // mine
    "theme": "dark", /* really */
    "hooks": {
        "Stop": [
            {"hooks": [{"type": "command", "command": "say done"}]},
        ],
    },
    "list": [],
}
"""


@pytest.mark.parametrize(
    "path",
    [("mcpServers", "x"), ("hooks", "Stop", "-"), ("hooks", "SessionStart", "-"), ("list", "-"), ("new",)],
    ids="/".join,
)
def test_what_is_added_stands_where_it_should_and_comes_out_again(path: tuple[str, ...]) -> None:
    value = {"command": "commonplace", "args": ["mcp"]}
    changed = with_member(SETTINGS, path, value)
    found = loads(changed)
    for word in path:
        found = found[-1] if word == "-" else found[word]
    assert found == value
    assert changed.startswith('{\n    // mine\n    "theme": "dark", /* really */\n')
    at = [str(len(loads(changed)["hooks"]["Stop"]) - 1) if word == "-" and "Stop" in path else word for word in path]
    gone = without_member(changed, [word.replace("-", "0") if word == "-" else word for word in at])
    assert loads(gone) == loads(SETTINGS) or loads(gone) == {k: v for k, v in loads(SETTINGS).items() if v}


def test_an_empty_file_becomes_an_object_and_a_small_one_stays_small() -> None:
    assert json.loads(with_member("", ("a", "b"), 1)) == {"a": {"b": 1}}
    assert with_member('{"a":1}', ("b",), 2) == '{"a":1, "b": 2}'
    assert with_member("{}\n", ("b",), 2).startswith("{")


@pytest.mark.parametrize("text", ["{", '{"a" 1}', "[1,,2]", "nonsense {", '{"a": 1} {"b": 2}', "[" * 200 + "]" * 200])
def test_what_is_no_json_is_left_to_its_owner(text: str) -> None:
    with pytest.raises(ConfigError):
        with_member(text, ("a",), 1)


def test_what_is_there_is_not_replaced() -> None:
    with pytest.raises(ConfigError):
        with_member('{"hooks": "off"}', ("hooks", "Stop", "-"), 1)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=15,
)


@given(st.dictionaries(st.text(), _JSON, max_size=5), st.sampled_from([None, 2, "\t"]), st.text(min_size=1), _JSON)
def test_any_document_keeps_what_it_had(
    document: dict[str, object], indent: int | str | None, key: str, value: object
) -> None:
    if key in document or key == "-":
        return
    text = json.dumps(document, indent=indent, ensure_ascii=False)
    changed = with_member(text, (key,), value)
    assert json.loads(changed) == {**document, key: value}
    assert json.loads(without_member(changed, (key,))) == document
