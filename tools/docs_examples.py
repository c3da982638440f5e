"""An extension of Griffe: shows doctests as code, wherever in a docstring they stand.

Markdown takes `>>>` for a quote in a quote in a quote.
"""

import re
from typing import Any

import griffe

DOCTEST = re.compile(r"^( *)>>> .*(?:\n\1\S.*|\n\1 +\S.*)*", re.MULTILINE)


def fenced(text: str) -> str:
    r"""Return a docstring with a fence around each doctest.

    >>> fenced("Add.\n\n>>> 1 + 1\n2\n\nMore.").splitlines()[2:6]
    ['```pycon', '>>> 1 + 1', '2', '```']
    """
    return DOCTEST.sub(lambda found: f"{found[1]}```pycon\n{found[0]}\n{found[1]}```", text)


class Examples(griffe.Extension):
    """Fences the doctests of every docstring."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Fence those of what a package holds."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        """Fence those of the package itself."""
        self.on_object(obj=pkg)
