import pytest
import torch

from helpers import on_gpu
from lib.ops import scale


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_scale():
    assert scale(on_gpu(torch.ones(2))).sum() == 4
