"""Writes what people have in place of the checkpoint that they mean to load, and two that would run something.

Written with PyTorch 1.13 of Debian 12: `/usr/bin/python3 make.py`. What the last but one would run only asks for a number.
"""

import gzip
import os
import shutil
import sys
import types
from pathlib import Path

import torch

HERE = Path(__file__).parent
REAL = HERE.parent.parent / "checkpoint" / "fixtures"


class AsksForItsProcess:
    def __reduce__(self):
        return os.getpid, ()


class Config:
    """Pretends to be of a library that nobody knows."""


Config.__module__ = "research.config"
sys.modules["research"] = types.ModuleType("research")
sys.modules["research.config"] = types.ModuleType("research.config")
sys.modules["research.config"].Config = Config

(HERE / "pointer.pt").write_text(
    "version https://git-lfs.github.com/spec/v1\n"
    "oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\n"
    "size 44669511\n"
)
(HERE / "page.pt").write_text("<!DOCTYPE html>\n<html><head><title>Sign in</title></head></html>\n")
(HERE / "refusal.pt").write_text('{"error": "Access to this model is restricted."}\n')
(HERE / "empty.pt").write_bytes(b"")
(HERE / "cut_off.pt").write_bytes((REAL / "torch" / "cuda0.pt").read_bytes()[:2000])
(HERE / "packed.pt").write_bytes(gzip.compress((REAL / "torch" / "cpu.pt").read_bytes(), mtime=0))
shutil.copy(REAL / "others" / "kinds.safetensors", HERE / "renamed.pt")
shutil.copy(REAL / "torch" / "cpu.pt", HERE / "renamed.safetensors")
shutil.copy(REAL / "keras" / "plain.keras", HERE / "renamed.pth")
torch.save({"weight": torch.zeros(2), "extra": AsksForItsProcess()}, HERE / "runs_code.pt")
torch.save({"weight": torch.zeros(2), "config": Config()}, HERE / "unknown_code.pt")
net = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 2))
parallel = torch.nn.DataParallel(net)
torch.save(parallel.state_dict(), HERE / "parallel.pt")
torch.save({"model": parallel.state_dict(), "epoch": 1}, HERE / "parallel_entry.pt")
torch.save({f"_orig_mod.{name}": value for name, value in net.state_dict().items()}, HERE / "compiled.pt")
torch.save({**net.state_dict(), "module.extra": torch.zeros(2)}, HERE / "partly.pt")
