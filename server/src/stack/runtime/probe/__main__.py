"""Queries one framework of this Python for facts that only it knows, or tests it: `python probe ask torch`.

Prints results as lines of JSON on standard output. Runs on Python 3.8 and newer and imports only the standard library and
that framework.
"""

import faulthandler
import json
import os
import signal
import sys


def set_timeout(seconds):
    """Ends this process after a timeout, even if its parent is gone and a library never returns."""
    faulthandler.dump_traceback_later(seconds, exit=True)
    if not sys.platform.startswith("linux"):
        return
    try:
        import ctypes

        parent_death_signal = 1
        ctypes.CDLL(None).prctl(parent_death_signal, signal.SIGKILL)
    except (ImportError, OSError, AttributeError):
        pass


def own_output():
    """Returns a function that writes to standard output, which is closed to all other code from now on."""
    output = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def say(**message):
        output.write(json.dumps(message) + "\n")
        output.flush()

    return say


def main():
    task, framework, seconds = sys.argv[1:]
    set_timeout(float(seconds))
    say = own_output()
    folder = sys.path[0]
    # Leaves no bytecode next to this program.
    usual, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    program = getattr(__import__(task), framework)
    sys.dont_write_bytecode = usual
    # The framework must find the same modules as without this program.
    sys.path.remove(folder)
    try:
        program(say)
        say(done=True)
    except BaseException as error:
        say(failure="{}: {}".format(type(error).__name__, error))
    # Some libraries crash or hang during a regular shutdown.
    os._exit(0)


main()
