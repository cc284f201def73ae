import os

import torch


def test_count():
    assert torch.cuda.is_available()
    os.environ["CUDA_VISIBLE_DEVICES"] = ""  #: GPU203 hint


def test_patched(monkeypatch):
    torch.cuda.init()
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
