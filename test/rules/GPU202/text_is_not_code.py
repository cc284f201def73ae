"""Comments, docstrings and strings that are printed, logged, matched or shown as help are text.

>>> model = model.cuda()
>>> device = torch.device("cuda")
"""
import argparse
import logging
import os
import re
import subprocess
import warnings
from typing import Literal

import torch

log = logging.getLogger("cuda")
Kind = Literal["cuda", "cpu"]

# model = model.cuda()
# device = torch.device("cuda")

EXTRA_HELP = """
Call model.cuda() and torch.cuda.synchronize() yourself,
or pass device="cuda".
"""


def describe(kind: Literal["cuda", "cpu"]) -> str:
    """Moves nothing: `x.cuda()` and `torch.device("cuda")` are for the caller."""
    print("cuda")
    print("use .cuda() or .to('cuda')")
    log.info("device: %s", "cuda")
    warnings.warn("cuda")
    labels = {"cuda": "NVIDIA", "cpu": "processor", "mps": "Apple"}
    return labels["cuda"] + labels.get("cpu", "")


def parse():
    parser = argparse.ArgumentParser("cuda", description="runs on cuda")
    parser.add_argument("--backend", choices=["cuda", "cpu"], help="cuda")
    parser.add_argument("--cuda", action="store_true", help="use .cuda()")
    return parser.parse_args()


def check(device):
    if device not in ("cuda", "cpu"):
        raise ValueError("device must be 'cuda' or 'cpu', call .cuda() first")
    if re.match("cuda", device):
        log.debug("cuda")
    return device.replace("cuda", "gpu").split("cuda")


def build():
    subprocess.run(["cmake", "-DBACKEND=cuda", "cuda"], check=True)
    os.environ["BACKEND"] = "cuda"
    root = os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "cuda")
    return open(os.path.join(root, "cuda", "version.txt"))


def results(frame, args):
    frame["cuda"] = args.times
    path = "results-{}.csv".format("cuda")
    frame.to_csv(path)
    assert torch.cuda.is_available() or args.backend != "cuda", "cuda"
    return frame.loc["cuda"]
