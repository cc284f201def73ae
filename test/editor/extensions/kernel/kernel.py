"""Runs the cells that come in, one a line as JSON, and tells what they put out in the same way."""
import io
import json
import linecache
import os
import sys
import traceback


def tell(message):
    sys.__stdout__.write(json.dumps(message) + "\n")


class Stream(io.TextIOBase):
    def __init__(self, name):
        self.name = name

    def write(self, text):
        tell({"stream": self.name, "text": text})
        return len(text)


sys.stdout, sys.stderr = Stream("stdout"), Stream("stderr")
sys.path[:0] = ["", os.path.abspath("site-packages")]
names = {"__name__": "__main__"}
for line in sys.stdin:
    cell = json.loads(line)
    file, success = f"<ipython-input-{cell['order']}-small>", True
    linecache.cache[file] = (len(cell["code"]), None, cell["code"].splitlines(True), file)
    try:
        exec(compile(cell["code"], file, "exec"), names)
    except Exception as error:
        success = False
        error.__traceback__ = error.__traceback__.tb_next
        stack = traceback.format_exc()
        tell({"error": {"name": type(error).__name__, "message": str(error), "stack": stack}})
    tell({"done": {"success": success}})
