"""The rules of each game in our own words, as the documentation has them."""

from importlib import resources
from pathlib import Path

from bullpen.rulesets import find


def rules_page(game: str) -> str:
    """Return the page of a game (by id or alias) as Markdown text."""
    name = f"{find(game).id}.md"
    installed = resources.files("bullpen.rulesets").joinpath("pages", name)
    if installed.is_file():
        return installed.read_text(encoding="utf-8")
    # In a checkout the pages live where the documentation is built from.
    return (Path(__file__).parents[3] / "docs" / "rules" / name).read_text(encoding="utf-8")
