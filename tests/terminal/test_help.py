"""The commands and levels that help and docs name are those that exist."""

import argparse
from pathlib import Path

from bullpen.bots.registry import ORDER
from bullpen.cli import LEVELS, parser

INSTALL = Path(__file__).parents[2] / "docs" / "install.md"


def test_docs_name_every_command_and_level() -> None:
    (actions,) = [action for action in parser()._actions if isinstance(action, argparse._SubParsersAction)]
    text = INSTALL.read_text(encoding="utf-8")
    missing = [command for command in actions.choices if f"`bullpen {command}" not in text]
    assert not missing
    assert [level for level in ORDER if f"`{level}`" not in text] == []


def test_help_names_every_level_of_ours() -> None:
    assert tuple(LEVELS.split(", ")) == ORDER
