"""In a test file a pinned index is a hint, and quiet for index 0 under a skip on availability."""
import unittest

import pytest
import torch
import torch.nn as nn
from transformers.testing_utils import require_torch_gpu, require_torch_multi_gpu


def make_model():
    return nn.Linear(4, 2).to("cuda:0")  #: GPU201 hint


def test_move():
    model = nn.Linear(4, 2).to("cuda:1")  #: GPU201 hint
    model.cuda(0)  #: GPU201 hint
    torch.cuda.set_device(0)  #: GPU201 hint
    assert model.weight.device == torch.device("cuda:0")


def test_skipped():
    if not torch.cuda.is_available():
        pytest.skip("no GPU")
    total = torch.ones(2).to("cuda:0").sum()  #: GPU201 hint
    assert total == 2


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")
def test_guarded():
    model = nn.Linear(4, 2).to("cuda:0")
    model.cuda(0)
    assert model(torch.ones(1, 4, device="cuda:0")).device.index == 0


@pytest.mark.skipif(torch.cuda.device_count() < 2, reason="two GPUs")
def test_two_gpus():
    first, second = torch.ones(2).to("cuda:0"), torch.ones(2).to("cuda:1")  #: GPU201 hint
    assert torch.equal(first.cpu(), second.cpu())


@pytest.mark.parametrize("device", ["cpu", "cuda:0", "cuda:1"])
def test_each(device):
    assert torch.device(device).type == device.split(":")[0]


@pytest.mark.parametrize(
    "source, target",
    [
        ("cpu", "cuda:0"),
        ("cuda:0", "cuda:1"),
        pytest.param("cuda:1", "cpu", marks=pytest.mark.slow),
    ],
)
def test_pairs(source, target):
    assert source != target


@require_torch_gpu
class GpuTests(unittest.TestCase):
    def test_zero(self):
        torch.cuda.set_device(0)
        self.assertEqual(torch.ones(2, device="cuda:0").device, torch.device("cuda:0"))

    @require_torch_multi_gpu
    def test_one(self):
        x = torch.ones(2, device="cuda:1")  #: GPU201 hint
        self.assertTrue(x.is_cuda)


class CpuTests(unittest.TestCase):
    def test_zero(self):
        x = torch.ones(2, device="cuda:0")  #: GPU201 hint
        self.assertTrue(x.is_cuda)
