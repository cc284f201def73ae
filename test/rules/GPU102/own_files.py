"""A file that the program wrote itself a moment ago."""
import copy
import io
import os
import tempfile

import torch


def clone(model):
    buffer = io.BytesIO()
    torch.save(model, buffer)
    buffer.seek(0)
    return torch.load(buffer, weights_only=False)  #: GPU102 hint


def round_trip(obj):
    with tempfile.TemporaryDirectory() as folder:
        torch.save(obj, os.path.join(folder, "x.pt"))
        return torch.load(os.path.join(folder, "x.pt"), weights_only=False)  #: GPU102 hint


def resume(trainer, folder):
    trainer.save_checkpoint("last.ckpt")
    last = torch.load("last.ckpt", weights_only=False)  #: GPU102 hint
    first = torch.load("first.ckpt", weights_only=False)  #: GPU102 hint
    best = torch.load(os.path.join(folder, "best.ckpt"), weights_only=False)  #: GPU102 hint
    return last, first, best


def merge(paths):
    merged = {}
    for path in paths:
        merged.update(torch.load(path, weights_only=False))  #: GPU102 hint
    torch.save(merged, "merged.pt")
    return copy.deepcopy(merged)
