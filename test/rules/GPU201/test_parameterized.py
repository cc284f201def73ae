import pytest
import torch
from parameterized import parameterized

from layers import distribute


class TestDistribution:
    @parameterized.parameters((torch.device("cuda:0"), "cuda", 0), (torch.device("cuda:1"), "cuda", 1))
    def test_device(self, device, name, index):
        assert distribute(device) == (name, index)

    @parameterized.expand([(torch.device("cuda:1"),)])
    def test_expanded(self, device):
        assert distribute(device)


@pytest.mark.parametrize("device", ["cpu", "cuda:0", torch.device("cuda:1")])
def test_layers(device):
    torch.ones(2).to(device)


def test_pinned():
    torch.ones(2).to("cuda:1")  #: GPU201 hint
