"""A test file is judged as any other: a test that needs a GPU says so."""
import pytest
import torch
import torch.nn as nn

devices = ["cpu", "cuda"] if torch.cuda.is_available() else ["cpu"]


@pytest.fixture
def model():
    return nn.Linear(4, 2)


@pytest.mark.parametrize("device", devices)
def test_forward(model, device):
    assert model.to(device)(torch.ones(1, 4, device=device)).shape == (1, 2)


@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_shapes(model, device):
    if device == "cuda" and not torch.cuda.is_available():
        pytest.skip("no GPU")
    assert model.to(device).weight.device.type == device


def test_unguarded(model):
    model.cuda()  #: GPU202
    assert model(torch.ones(1, 4).cuda()).is_cuda  #: GPU202 same


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")
def test_decorated(model):
    model.cuda()
    assert model(torch.ones(1, 4).cuda()).is_cuda


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")
class TestStreams:
    def test_stream(self):
        torch.cuda.Stream().synchronize()


class TestEvents:
    def test_event(self):
        torch.cuda.Event().record()  #: GPU202 same

    def test_skipping(self):
        if not torch.cuda.is_available():
            pytest.skip("no GPU")
        torch.cuda.Event().record()
