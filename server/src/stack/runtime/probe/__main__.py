"""Asks one framework of this Python what only it can say, or tries it: `python probe ask torch`.

What it finds are lines of JSON on standard output. It runs on Python 3.8 and newer and imports nothing but the standard
library and that framework.
"""

import faulthandler
import json
import os
import signal
import sys


def end_in_time(seconds):
    """Ends this process even where the one that started it is gone and a library never returns."""
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
    """A way to say things on standard output, which from here on nobody else writes to."""
    output = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def say(**message):
        output.write(json.dumps(message) + "\n")
        output.flush()

    return say


def main():
    task, framework, seconds = sys.argv[1:]
    end_in_time(float(seconds))
    say = own_output()
    folder = sys.path[0]
    # Nothing is written beside this program.
    usual, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    program = getattr(__import__(task), framework)
    sys.dont_write_bytecode = usual
    # The framework finds what it would find without this program.
    sys.path.remove(folder)
    try:
        program(say)
        say(done=True)
    except BaseException as error:
        say(failure="{}: {}".format(type(error).__name__, error))
    # Some libraries crash or hang when they are put down in order.
    os._exit(0)


main()
