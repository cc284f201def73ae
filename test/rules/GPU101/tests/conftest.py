import pytest
import torch


@pytest.fixture(scope="session")
def reference():
    return torch.load("tests/data/reference.pt")  #: GPU101 hint


@pytest.fixture
def weights():
    return torch.load("tests/data/weights.pt", map_location="cpu")
