"""`pytestmark` is a decorator of every test in the module."""
import pytest
import torch

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="CUDA only")


def test_move():
    assert torch.ones(2).cuda().is_cuda


def test_device():
    assert torch.ones(2, device="cuda").sum() == 2
