"""Which statement of the code does a ruling: found from the numbers that comments and docstrings cite.

- A number in a comment belongs to the statement on that line, or else to the next one. Behind the line that
  opens a block (`if full:  # BUF-9`) it belongs to the first statement inside.
- A number in a function's docstring, or in a comment above the function, belongs to its first statement.
- A number in a class's docstring, or in a comment above the class, belongs to the first statement of any of
  its methods; to the class itself if it has none.
- A number in a text below a constant belongs to the constant.
- A module's docstring tells of the whole and does nothing by itself: its numbers are not counted.
"""

import ast
import io
import json
import re
import tokenize
from collections import defaultdict
from functools import cache
from pathlib import Path

from msgspec import Struct

HERE = Path(__file__).parent
PACKAGE = HERE.parents[1] / "src" / "bullpen"
RULING = re.compile(r"\b[A-Z]{3,4}-[0-9]+\b")

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Weight(Struct, frozen=True):
    """How much hangs on a ruling (A, B or C), and which games it is about (`*`: all)."""

    weight: str
    games: tuple[str, ...]


class Place(Struct, frozen=True):
    """Lines of a file, by its path in the package: running any of them does what the ruling says."""

    file: str
    lines: frozenset[int]


@cache
def load_weights() -> dict[str, Weight]:
    """Return every ruling with its weight."""
    raw = json.loads((HERE / "weights.json").read_text(encoding="utf-8"))
    return {number: Weight(entry["weight"], tuple(entry["games"])) for number, entry in raw.items()}


@cache
def cited() -> dict[str, list[Place]]:
    """Return every ruling that the engine and the rulesets cite, with the places that do it."""
    places: dict[str, list[Place]] = defaultdict(list)
    for folder in ("engine", "rulesets"):
        for path in sorted((PACKAGE / folder).rglob("*.py")):
            file = path.relative_to(PACKAGE).as_posix()
            for number, lines in citations(path.read_text(encoding="utf-8")):
                places[number].append(Place(file, lines))
    return dict(places)


def citations(source: str) -> list[tuple[str, frozenset[int]]]:
    """Return each citation in a source text with the lines of the statement it belongs to."""
    tree = ast.parse(source)
    return [*_in_comments(source, tree), *_in_docstrings(tree)]


def _in_comments(source: str, tree: ast.Module) -> list[tuple[str, frozenset[int]]]:
    statements = sorted(
        (node for node in ast.walk(tree) if isinstance(node, ast.stmt)), key=lambda node: node.lineno
    )
    found = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            lines = _lines_of_comment(statements, token)
            found += [(number, lines) for number in RULING.findall(token.string)]
    return found


def _lines_of_comment(statements: list[ast.stmt], token: tokenize.TokenInfo) -> frozenset[int]:
    line = token.start[0]
    for statement in statements:
        body = getattr(statement, "body", None)
        if body and statement.lineno <= line < body[0].lineno:
            has_code = bool(token.line[: token.start[1]].strip())
            if has_code:
                return _done_by(statement if isinstance(statement, Definition) else body[0])
        if not body and statement.lineno <= line <= (statement.end_lineno or 0):
            return _done_by(statement)
        if statement.lineno > line:
            return _done_by(statement)
    return frozenset()


def _in_docstrings(tree: ast.Module) -> list[tuple[str, frozenset[int]]]:
    found = []
    for node in ast.walk(tree):
        if isinstance(node, Definition):
            lines = _done_by(node)
            found += [(number, lines) for number in RULING.findall(ast.get_docstring(node) or "")]
        for constant, text in zip(_body(node), _body(node)[1:], strict=False):
            if isinstance(constant, ast.Assign | ast.AnnAssign) and _is_text(text):
                found += [(number, _done_by(constant)) for number in RULING.findall(ast.unparse(text))]
    return found


def _body(node: ast.AST) -> list[ast.stmt]:
    body = getattr(node, "body", [])
    return body if isinstance(body, list) else []


def _is_text(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _done_by(statement: ast.stmt) -> frozenset[int]:
    """Return the lines by which one sees that a statement was run (of a definition: that it was used)."""
    if isinstance(statement, ast.ClassDef):
        methods = [node for node in statement.body if isinstance(node, ast.FunctionDef)]
        if methods:
            return frozenset().union(*(_done_by(method) for method in methods))
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
        work = [node for node in statement.body if not _is_text(node)]
        # A verb that does nothing is seen by its first line alone.
        return _done_by(work[0]) if work else frozenset({statement.lineno})
    body = _body(statement)
    last = body[0].lineno - 1 if body else statement.end_lineno or statement.lineno
    return frozenset(range(statement.lineno, max(last, statement.lineno) + 1))
