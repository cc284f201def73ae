#: facts {"here": {"devices": {"cuda": {"count": 1, "because": "this machine has 1 GPU"}, "mps": {"count": 0, "because": "this machine is not a Mac"}}, "torch": "2.9.0"}, "torchVersion": "2.9.0"}
import torch


def test_reads():
    assert torch.load("torch/cuda3.pth")  #: GPU501 hint
