"""Finds the operations that fail because their tensors are on different devices.

    python mixes.py pretended|fake

Each runs on two simulated GPUs, or with PyTorch's own fake tensors, which have a device but no data. Both must agree: a
program that mixes devices after a fix must not pass the proof. Prints `{"CODE": "ERROR" or null}`.
"""

import json
import sys
import warnings

import torch

OPERATIONS = (
    "a + b",
    "a + c",
    "a + a",
    "a * 2 + a.sum()",
    "b @ a.t()",
    "b @ b.t()",
    "torch.cat([a, c])",
    "torch.cat([b, b])",
    "torch.stack([a, b])",
    "torch.where(a > 0, a, c)",
    "torch.where(b > 0, b, b)",
    "torch.nn.functional.linear(a, w)",
    "torch.nn.functional.linear(a, v)",
    "torch.nn.functional.mse_loss(a, b)",
    "torch.nn.functional.mse_loss(c, c)",
    "torch.maximum(a, c)",
    "c.add_(c)",
)


def tensors():
    a, b = torch.ones(2, 3, device="cuda:0"), torch.ones(2, 3, device="cuda:1")
    return {
        "torch": torch,
        "a": a,
        "b": b,
        "c": torch.ones(2, 3),
        "w": torch.ones(4, 3, device="cuda:0"),
        "v": torch.ones(4, 3, device="cuda:1"),
    }


def outcome(code):
    try:
        eval(code, tensors())
    except RuntimeError as error:
        return str(error)
    return None


def outcomes(way):
    if way == "pretended":
        import pretended_gpus

        pretended_gpus.pretend(2)
        return {code: outcome(code) for code in OPERATIONS}
    from torch._subclasses import FakeTensorMode

    # A build without CUDA cannot be initialized, and fake tensors do not need it.
    torch.cuda._lazy_init = lambda: None
    with FakeTensorMode():
        return {code: outcome(code) for code in OPERATIONS}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    print(json.dumps(outcomes(sys.argv[1])))
