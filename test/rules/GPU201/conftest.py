"""`conftest.py` belongs to the tests."""
import pytest
import torch


@pytest.fixture
def device():
    return torch.device("cuda:0")  #: GPU201 hint


@pytest.fixture(params=["cpu", "cuda:0"])
def any_device(request):
    return request.param


@pytest.fixture
def model(device):
    return torch.nn.Linear(2, 2).to(device)
