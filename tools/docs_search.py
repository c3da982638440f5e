"""A hook of MkDocs: pages in another language are searched by an index of that language.

Material looks for its index below the `base` that a page names, and takes results as relative to it. So a
page of `rules/play/de` names that folder, which gets an index of its own pages.
"""

import json
import re
from pathlib import Path
from typing import Any

from mkdocs.plugins import event_priority

FOLDERS = {"de": "rules/play/de/", "fr": "rules/play/fr/"}
BASE = re.compile(r'(<script id="__config" type="application/json">.*?"base": )"[^"]*"')
INDEX = "search/search_index.json"

LISTINGS = ("api/", "environments-tour")
"""Pages of signatures and printed examples: found after the guides, which say what to do with them."""

Index = dict[str, Any]


def on_page_markdown(_: str, page: Any, **__: Any) -> None:
    """Let listings be found after the guides."""
    if page.file.src_uri.startswith(LISTINGS):
        page.meta.setdefault("search", {})["boost"] = 0.2


def on_post_page(output: str, page: Any, **_: Any) -> str:
    """Let a page of such a folder name it as the place of its index."""
    if not page.url.startswith(tuple(FOLDERS.values())):
        return output
    return BASE.sub(r'\1"."', output, count=1)


@event_priority(-100)  # after the plugin that writes the index
def on_post_build(config: Any) -> None:
    """Write an index for each language."""
    site = Path(config.site_dir)
    for folder, index in divided(json.loads((site / INDEX).read_text(encoding="utf-8"))).items():
        place = site / folder / INDEX
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps(index, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


def divided(index: Index) -> dict[str, Index]:
    """Return the index of every folder, with addresses below it; the rest is the index of the site.

    >>> pages = [{"location": "bots.html"}, {"location": "rules/play/de/base.html#b"}]
    >>> parts = divided({"config": {"lang": ["en"]}, "docs": pages})
    >>> parts["rules/play/de/"]
    {'config': {'lang': ['de']}, 'docs': [{'location': 'base.html#b'}]}
    >>> parts[""]["docs"]
    [{'location': 'bots.html'}]
    """
    parts = {
        folder: {
            "config": {**index["config"], "lang": [language]},
            "docs": [
                {**entry, "location": entry["location"].removeprefix(folder)}
                for entry in index["docs"]
                if entry["location"].startswith(folder)
            ],
        }
        for language, folder in FOLDERS.items()
    }
    rest = [each for each in index["docs"] if not each["location"].startswith(tuple(FOLDERS.values()))]
    return {"": {**index, "docs": rest}, **parts}
