"""Every weighty ruling (A or B) is cited by the code that does it, and that code was run."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from tests.rulings.cases import CASES
from tests.rulings.citations import HERE, PACKAGE, citations, cited, load_weights

REPOSITORY = HERE.parents[1]

NOTHING_TO_RUN = {
    "PRO-8": "says how to read a printed example; the vectors PRO-EX1 and PRO-EX2 are read that way",
}
"""The weighty rulings that no statement does, and why."""

DUE = [
    number
    for number, ruling in load_weights().items()
    if ruling.weight in "AB" and number not in NOTHING_TO_RUN
]


def exercise(*games: str) -> dict[str, Any]:
    """Play in a process of its own, so that everything is loaded and watched from the start."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.rulings.exercise", *games],
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONPATH": str(PACKAGE.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def never_run(number: str, lines: dict[str, list[int]]) -> list[str]:
    """Return where a ruling is cited by a statement that was not run."""
    return [
        f"{number} ({place.file}:{min(place.lines, default=0)})"
        for place in cited().get(number, ())
        if place.lines.isdisjoint(lines.get(place.file, ()))
    ]


@pytest.fixture(scope="session")
def found() -> dict[str, Any]:
    """Everything that many games of every kind met."""
    return exercise()


def test_every_weighty_ruling_is_cited_by_the_code() -> None:
    missing = [number for number in DUE if number not in cited()]
    assert not missing, f"no comment or docstring of the engine or the rulesets cites {', '.join(missing)}"


def test_every_statement_that_does_a_weighty_ruling_was_run(found: dict[str, Any]) -> None:
    never = [place for number in DUE for place in never_run(number, found["lines"])]
    assert not never, f"cited there, but the statement was never run: {', '.join(never)}"


def test_every_case_that_a_weighty_ruling_is_about_came_up(found: dict[str, Any]) -> None:
    never = [number for number in CASES if number not in found["cases"]]
    assert not never, f"the case of these rulings never came up in play: {', '.join(never)}"


def test_what_was_not_played_was_not_met() -> None:
    found = exercise("base")
    assert found["cases"] == []
    assert not never_run("BASE-4", found["lines"])
    assert never_run("COW-2", found["lines"])


def test_only_weighty_rulings_have_a_case() -> None:
    assert set(CASES) <= set(DUE)


def test_no_ruling_is_cited_that_does_not_exist() -> None:
    assert set(cited()) <= set(load_weights())


def test_a_ruling_with_nothing_to_run_is_weighty_and_not_cited_by_code() -> None:
    weights = load_weights()
    assert all(weights[number].weight in "AB" for number in NOTHING_TO_RUN)
    assert not set(NOTHING_TO_RUN) & set(cited()), "take it off the list: the code does it after all"


SAMPLE = '''"""All of it (GEN-1)."""

LIMIT = 5
"""Cards a row (BASE-1)."""


class Row:
    """A row (BASE-2)."""

    def full(self):
        """At the limit (BASE-3)."""
        # BASE-4: never over it
        if self.cards == LIMIT:  # BASE-5
            return True
        return bool(
            # BASE-6
            self.cards
        )  # BASE-7

    # BASE-8
    def empty(self):
        """Without a card."""
        return not self.cards
'''


@pytest.mark.parametrize(
    ("number", "lines"),
    [
        ("BASE-1", {3}),
        ("BASE-2", {13, 23}),
        ("BASE-3", {13}),
        ("BASE-4", {13}),
        ("BASE-5", {14}),
        ("BASE-6", {15, 16, 17, 18}),
        ("BASE-7", {15, 16, 17, 18}),
        ("BASE-8", {23}),
    ],
)
def test_a_citation_belongs_to_the_statement_that_it_stands_at(number: str, lines: set[int]) -> None:
    assert dict(citations(SAMPLE))[number] == lines


def test_a_module_docstring_cites_nothing() -> None:
    assert "GEN-1" not in dict(citations(SAMPLE))
