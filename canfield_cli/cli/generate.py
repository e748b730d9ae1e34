"""Writes the files that are made from the table of commands, or says where they differ from it.

``python -m canfield_cli.cli.generate write`` (or ``check``), somewhere in a checkout. It makes the
completion scripts, and the marked parts of the manual and the README; it never touches another line.
"""

from __future__ import annotations

import os
import sys

from ..commands import COMMANDS
from ..commands.completion import SHELLS, script
from ..commands.manual import PARTS

__all__ = ["generated", "main"]

#: The file of each shell's completions, named as that shell looks for it.
COMPLETIONS = {
    "bash": "completions/canfield.bash",
    "zsh": "completions/_canfield",
    "fish": "completions/canfield.fish",
}
#: How a comment is written, by the ending of the file.
_COMMENTS = {".md": "<!-- {} -->"}
_MDOC = '.\\" {}'


def main(words: list[str]) -> int:
    """Do as `words` say, ``write`` or ``check``; return the exit status: 1 if a file differs."""
    if words not in (["write"], ["check"]):
        print("usage: python -m canfield_cli.cli.generate write|check", file=sys.stderr)
        return 2
    root = _checkout(os.getcwd())
    if root is None:
        print("error: this is not a checkout of canfield", file=sys.stderr)
        return 2
    differ = False
    for name, text in generated(root).items():
        path = os.path.join(root, name)
        old = _read(path)
        if old == text:
            continue
        differ = True
        if words == ["write"]:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            print(f"{name} is written")
        else:
            _tell(name, old or "", text)
    return int(differ and words == ["check"])


def generated(root: str) -> dict[str, str]:
    """Return the text that each generated file of the checkout `root` should have, by its path from there.

    Raises ValueError for a file that has no place for a part that belongs there; the README may have none.
    """
    texts = {name: script(COMMANDS, shell) for shell, name in COMPLETIONS.items()}
    assert COMPLETIONS.keys() == SHELLS.keys()
    for name, parts in PARTS.items():
        text = _read(os.path.join(root, name))
        comment = _COMMENTS.get(os.path.splitext(name)[1], _MDOC)
        if text is None or (name == "README.md" and comment.format("commands") not in text):
            continue
        for part, make in parts.items():
            text = _replaced(text, name, part, comment, make(COMMANDS))
        texts[name] = text
    return texts


def _replaced(text: str, name: str, part: str, comment: str, lines: list[str]) -> str:
    """Return `text` with `lines` between the comments that mark `part`."""
    begin, end = comment.format(part), comment.format(f"/{part}")
    old = text.split("\n")
    if old.count(begin) != 1 or old.count(end) != 1 or old.index(begin) > old.index(end):
        raise ValueError(f"{name} needs the lines {begin} and {end} once, in this order")
    return "\n".join([*old[: old.index(begin) + 1], *lines, *old[old.index(end) :]])


def _checkout(folder: str) -> str | None:
    """Return the checkout that `folder` is in, or None."""
    while not os.path.isfile(os.path.join(folder, "canfield_cli", "cli", "generate.py")):
        folder, before = os.path.dirname(folder), folder
        if folder == before:
            return None
    return folder


def _read(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return None


def _tell(name: str, old: str, new: str) -> None:
    """Print how the file `name` differs from what it should be."""
    from difflib import unified_diff

    lines = unified_diff(old.splitlines(), new.splitlines(), name, f"{name} as generated", lineterm="")
    print("\n".join(lines))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
