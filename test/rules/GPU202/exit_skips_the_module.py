"""A module-level skip of pytest guards the whole file."""
import pytest
import torch

if not torch.cuda.is_available():
    pytest.skip("CUDA only", allow_module_level=True)


def test_matmul():
    a = torch.randn(4, 4).cuda()
    assert torch.equal(a @ a, a.cuda() @ a)


class TestStream:
    def test_event(self):
        event = torch.cuda.Event()
        event.record()
        torch.cuda.synchronize()
