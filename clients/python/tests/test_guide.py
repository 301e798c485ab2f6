"""Runs every program of the guide."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest
from conftest import REPOSITORY

GUIDE = REPOSITORY / "docs" / "guides" / "clients" / "python.md"


class Recipe(NamedTuple):
    title: str
    program: str
    line: int


def recipes() -> list[Recipe]:
    """Returns the Python blocks of the guide, each with the heading above it."""
    text = GUIDE.read_text(encoding="utf-8")
    found = []
    for block in re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        title = re.findall(r"^#+ (.+)$", text[: block.start()], re.MULTILINE)[-1]
        found.append(Recipe(title, block[1], text.count("\n", 0, block.start(1))))
    return found


WRITTEN = {
    "Change a document": ["rotated.pdf"],
    "Give bytes, file objects and streams": ["merged.pdf"],
    "Get several files": ["page-1.pdf", "page-2.pdf"],
    "Chain operations": ["draft-a.pdf", "draft-b.pdf"],
    "Follow long work": ["small.pdf"],
    "Work on many documents at the same time": ["all.pdf", "small-a.pdf", "small-b.pdf", "small-in.pdf"],
    "Handle errors": ["unlocked.pdf"],
    "Be called when a job has finished": ["called.pdf"],
}
"""The files that recipes write."""
SAID = {
    "Read facts": r"^2\nFirst page",
    "Follow long work": r"succeeded 100\n$",
    "Handle errors": r"^PDF_ENCRYPTED ",
    "Repeat safely": r"^True\n$",
    "Be called when a job has finished": r"^job\.succeeded ",
}
"""What recipes print."""


def test_has_ten_recipes() -> None:
    numbered = [recipe.title for recipe in recipes() if re.match(r"\d+\. ", recipe.title)]
    assert [title.split(".")[0] for title in numbered] == [str(number) for number in range(1, 11)]
    assert {*WRITTEN, *SAID} <= {title.split(". ")[1] for title in numbered}


@pytest.mark.parametrize("recipe", recipes(), ids=lambda recipe: recipe.title)
def test_runs_the_recipe(
    recipe: Recipe, letter: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["a.pdf", "b.pdf", "in.pdf"]
    for name in given:
        shutil.copy(letter, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    # Blank lines in front, so that a failure names the line in the guide.
    exec(compile("\n" * recipe.line + recipe.program, str(GUIDE), "exec"), {"__name__": "__main__"})
    title = recipe.title.split(". ")[-1]
    written = sorted(path.name for path in tmp_path.iterdir() if path.name not in given)
    assert written == WRITTEN.get(title, [])
    assert all((tmp_path / name).read_bytes().startswith(b"%PDF-") for name in written)
    assert re.search(SAID.get(title, ""), capsys.readouterr().out)
