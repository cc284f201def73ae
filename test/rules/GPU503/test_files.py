import pytest
import torch


def test_refused():
    torch.load("torch/namespace.pt", weights_only=True)  #: GPU503 hint
    with pytest.raises(Exception):
        torch.load("torch/numpy.pt", weights_only=True)  #: GPU503 hint
