"""What the server uses of the private side of its libraries is still there, and used in one place."""

import ast
import inspect
import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from bullpen.server.doors import transport

ROOT = Path(__file__).parents[2]
DOORS = ROOT / "src" / "bullpen" / "server" / "doors"
OURS = [transport.Http, transport.WebSocket, transport._Counted, transport._Strict]
CHANGED = "changed: look at doors/transport.py before the bound in pyproject.toml is raised"


def used(ours: type) -> set[str]:
    """Return the names that a class of ours takes from the class below it."""
    tree = ast.parse(inspect.getsource(ours))
    names = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and (
            (isinstance(node.value, ast.Name) and node.value.id == "self")
            or (isinstance(node.value, ast.Call) and ast.unparse(node.value) == "super()")
        )
    }
    overridden = {name for name in vars(ours) if inspect.isfunction(vars(ours)[name])}
    own = {"crowd", "push"}
    return {name for name in names | overridden if not re.match(r"_[a-z]", name)} - own


@pytest.mark.parametrize("ours", OURS, ids=lambda ours: ours.__name__)
def test_what_we_use_of_a_librarys_class_is_there(ours: type) -> None:
    below = ours.__mro__[1]
    library = "".join(inspect.getsource(each) for each in below.__mro__[:-1] if each.__module__ != "typing")
    for name in used(ours):
        there = hasattr(below, name) or re.search(rf"\bself\.{name}\b", library)
        assert there, f"{below.__qualname__}.{name}: {below.__module__} {CHANGED}"


@pytest.mark.parametrize("ours", OURS, ids=lambda ours: ours.__name__)
def test_what_we_override_still_takes_what_it_took(ours: type) -> None:
    below = ours.__mro__[1]
    for name, function in vars(ours).items():
        theirs = getattr(below, name, None)
        if inspect.isfunction(function) and inspect.isfunction(theirs) and name != "__init__":
            taken = [len(inspect.signature(each).parameters) for each in (function, theirs)]
            assert taken[0] == taken[1], f"{below.__qualname__}.{name}: {below.__module__} {CHANGED}"


def test_private_modules_of_uvicorn_are_named_in_one_place() -> None:
    # `uvicorn.middleware` is not private: what is in there wraps any application, by its constructor alone.
    naming = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "src").rglob("*.py")
        if re.search(
            r"uvicorn\.(protocols|server|lifespan|_)|websockets\.(server|protocol|frames)", path.read_text()
        )
    }
    assert naming == {str((DOORS / "transport.py").relative_to(ROOT))}


@pytest.mark.parametrize("library", ["uvicorn", "websockets"])
def test_the_version_is_bound_and_the_one_here_is_within_the_bound(library: str) -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    (wanted,) = (each for each in map(Requirement, extras["server"]) if each.name == library)
    assert any(one.operator == "<" for one in wanted.specifier)
    assert version(library) in wanted.specifier, f"{library} {CHANGED}"
