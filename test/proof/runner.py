"""Runs programs with a framework that is imported once: each program runs in a process forked from this one.

    python runner.py torch|keras < jobs.jsonl > results.jsonl

It reads one list of jobs per line and runs each list as it arrives; an empty line ends the results of a list.
A job is `{"number": ..., "folder": ..., "program": ..., "gpus": ...}`. The program, a script or a notebook of that folder, runs in an
empty working folder that contains only a link to the folder's `checkpoints`, which programs do not modify. Its result is
the job with `error` (null, or the exception as `Type: message`), `output`, `devices` for simulated GPUs (see
`pretended_gpus.py`) and, for Keras, `memory` (see `pretended_gpu.py`).
"""

import gc
import importlib
import json
import os
import random
import re
import runpy
import shutil
import signal
import sys
import tempfile
import traceback
import types
from pathlib import Path

SECONDS = 60
MAGIC = re.compile(r"^(\s*)(?:[%!?].*|\S+\?\s*)$")


def without_magics(cell):
    """Returns a cell's code as Python; IPython lines become `pass`."""
    return "\n".join(MAGIC.sub(r"\1pass", line) for line in cell.split("\n")) + "\n"


def code_cells(notebook):
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            yield without_magics("".join(cell["source"]))


def run_notebook(notebook):
    """Runs the cells in order in one namespace, as a kernel does; runs none if any cell does not compile."""
    compiled = [compile(text, f"{notebook.name}[{n}]", "exec") for n, text in enumerate(code_cells(notebook), 1)]
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    for code in compiled:
        exec(code, main.__dict__)


def run_program(program):
    sys.argv = [str(program)]
    sys.path[0] = str(program.parent)
    if program.suffix == ".ipynb":
        run_notebook(program)
    else:
        runpy.run_path(str(program), run_name="__main__")


def describe(error):
    """Returns the exception in one line, or None for a successful exit."""
    if isinstance(error, SystemExit) and error.code in (None, 0):
        return None
    return f"{type(error).__name__}: {error}".strip()


def prepare(job, framework, scratch):
    """Prepares this process for a program: its working folder and its simulated GPUs."""
    working = scratch / "working"
    working.mkdir()
    (working / "checkpoints").symlink_to(Path(job["folder"], "checkpoints"))
    os.chdir(working)
    if framework == "keras":
        import pretended_gpu

        return {"memory": pretended_gpu.watch()}
    # OpenMP threads do not survive a fork, and small programs need none.
    sys.modules["torch"].set_num_threads(1)
    sys.modules["torch"].manual_seed(0)
    random.seed(0)
    if job["gpus"]:
        import pretended_gpus

        return {"devices": pretended_gpus.pretend(job["gpus"])}
    return {}


def in_child(job, framework, scratch):
    """Runs a job and never returns; writes its result to the scratch folder."""
    signal.alarm(SECONDS)
    result = {}
    try:
        output = os.open(scratch / "output", os.O_WRONLY | os.O_CREAT)
        # Programs must not read the lists of jobs.
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        result = prepare(job, framework, scratch)
        run_program(Path(job["folder"], job["program"]))
    except BaseException as error:
        result["error"] = describe(error)
        if result["error"]:
            traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        (scratch / "result").write_text(json.dumps({"error": None, **result}))
        os._exit(0)


def collect(job, status, scratch):
    """Returns the result of a job whose process exited with `status`."""
    try:
        result = json.loads((scratch / "result").read_text())
    except FileNotFoundError:
        number = os.waitstatus_to_exitcode(status)
        late = number == -signal.SIGALRM
        result = {"error": f"It ran longer than {SECONDS} seconds" if late else f"It ended with status {number}"}
    output = (scratch / "output").read_text(errors="replace") if (scratch / "output").exists() else ""
    return {**job, **result, "output": output}


def run_all(jobs, framework, report):
    """Runs as many jobs at a time as there are CPUs."""
    folder = Path(tempfile.mkdtemp(prefix="gpu-doctor-proof-"))
    running = {}
    waiting = list(enumerate(jobs))
    try:
        while waiting or running:
            if waiting and len(running) < (os.cpu_count() or 1):
                number, job = waiting.pop(0)
                scratch = folder / str(number)
                scratch.mkdir()
                process = os.fork()
                if process == 0:
                    in_child(job, framework, scratch)
                running[process] = (job, scratch)
                continue
            process, status = os.wait()
            if process in running:
                job, scratch = running.pop(process)
                report(collect(job, status, scratch))
                shutil.rmtree(scratch)
    finally:
        for process in running:
            os.kill(process, signal.SIGKILL)
        shutil.rmtree(folder)


if __name__ == "__main__":
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    for module in {"torch": ["torch"], "keras": ["tensorflow", "keras"]}[sys.argv[1]]:
        importlib.import_module(module)
    # Existing objects are permanent: a garbage collection in a fork would copy all of their memory.
    gc.freeze()
    for line in sys.stdin:
        run_all(json.loads(line), sys.argv[1], lambda result: print(json.dumps(result), flush=True))
        print(flush=True)
