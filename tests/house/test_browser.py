"""Getting a browser for the tests: what is tried, in which order, and what is said when nothing works."""

from collections.abc import Callable, Sequence

import pytest
from tools.get_browser import get


class Installer:
    """Runs nothing; installing with the named program makes a browser appear."""

    def __init__(self, works: str | None = None) -> None:
        self.works = works
        self.refuses: str | None = None
        self.ran: list[str] = []
        self.there = False

    def __call__(self, command: Sequence[str]) -> bool:
        self.ran.append(" ".join(command))
        done = self.works in command and self.refuses not in command and "install" in command
        self.there = self.there or done
        return done

    def found(self) -> str | None:
        return "/a/browser" if self.there else None


def test_a_browser_that_is_there_is_taken_and_nothing_runs() -> None:
    installer = Installer()
    installer.there = True
    assert get(installer.found, installer, True, "apt-get") == "/a/browser"
    assert installer.ran == []


def test_playwrights_own_comes_before_apt(capsys: pytest.CaptureFixture[str]) -> None:
    installer = Installer("playwright")
    assert get(installer.found, installer, True, "apt-get") == "/a/browser"
    assert not any("apt-get" in command for command in installer.ran)
    assert "Fetching Playwright's own Chromium" in capsys.readouterr().out


def test_root_installs_with_apt_and_is_told_before(capsys: pytest.CaptureFixture[str]) -> None:
    installer = Installer("apt-get")
    assert get(installer.found, installer, True, "apt-get") == "/a/browser"
    assert "for the whole system with apt-get, as root" in capsys.readouterr().out
    assert installer.ran[-1].endswith("chromium-headless-shell")


def test_where_apt_has_no_browser_without_windows_it_takes_the_other() -> None:
    installer = Installer("chromium")
    installer.refuses = "playwright"
    assert get(installer.found, installer, True, "apt-get") == "/a/browser"
    assert installer.ran[-1].endswith(" chromium")


@pytest.mark.parametrize(
    ("root", "apt", "why"),
    [
        (False, "apt-get", "sudo apt-get install chromium"),
        (True, None, "no apt-get here"),
        (True, "apt-get", "apt-get could not install chromium"),
    ],
)
def test_without_any_it_stops_with_the_reasons(root: bool, apt: str | None, why: str) -> None:
    installer = Installer()
    with pytest.raises(SystemExit) as stopped:
        get(installer.found, installer, root, apt)
    assert "Playwright could not fetch its own Chromium" in str(stopped.value)
    assert why in str(stopped.value)


def test_a_browser_that_was_installed_but_does_not_start_is_not_enough() -> None:
    installer = Installer("playwright")
    dead: Callable[[], str | None] = lambda: None  # noqa: E731
    with pytest.raises(SystemExit, match="what was installed does not start"):
        get(dead, installer, False, None)
