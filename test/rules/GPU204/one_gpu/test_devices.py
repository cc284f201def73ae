#: facts {"visibleGpus": {"count": 1, "names": "RTX 3090"}}
import torch


def test_second():
    torch.zeros(1, device="cuda:1")  #: GPU201 hint
