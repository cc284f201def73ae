"""Decorators that skip on availability, or are named for it."""
import unittest

import pytest
import torch
from accelerate.test_utils import require_cuda, require_multi_gpu
from torch.testing._internal.common_device_type import onlyCUDA
from transformers.testing_utils import (
    require_accelerate,
    require_torch,
    require_torch_accelerator,
    require_torch_gpu,
    slow,
)
from diffusers.utils.testing_utils import require_big_accelerator

from common import requires_cuda, withCUDA

needs_device = pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")


@unittest.skipIf(not torch.cuda.is_available(), "no GPU")
def check_skip_if(model):
    model.cuda()


@unittest.skipUnless(torch.cuda.is_available(), "no GPU")
def check_skip_unless(model):
    model.cuda()


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")
def check_pytest(model):
    model.cuda()


@pytest.mark.skipif(torch.cuda.device_count() < 1, reason="no GPU")
def check_count(model):
    model.cuda()


@needs_device
def check_stored_mark(model):
    model.cuda()


@require_torch_gpu
def check_require(model):
    model.to("cuda")


@require_torch_accelerator
def check_accelerator(model):
    model.to("cuda")


@slow
@require_big_accelerator
def check_big(model):
    model.to("cuda")


@requires_cuda
def check_requires(model):
    torch.cuda.synchronize()


@onlyCUDA
def check_only(device):
    torch.cuda.current_stream()


@withCUDA
def check_with(device):
    torch.cuda.synchronize()


@require_cuda
@require_multi_gpu
def check_multi(model):
    torch.nn.DataParallel(model).cuda()


@unittest.skipIf(not torch.cuda.is_available(), "no GPU")
class WholeClass(unittest.TestCase):
    def setUp(self):
        self.x = torch.ones(2).cuda()

    def check_sum(self):
        self.assertEqual(self.x.to("cuda").sum().item(), 2)


@require_torch
def check_library(model):
    model.cuda()  #: GPU202


@require_accelerate
def check_accelerate(model):
    model.cuda()  #: GPU202 same


@slow
def check_slow(model):
    model.cuda()  #: GPU202 same


@unittest.skipIf(torch.cuda.is_available(), "tests the CPU path")
def check_cpu_path(model):
    model.cuda()  #: GPU202 same


@pytest.mark.skipif(not hasattr(torch, "compile"), reason="old torch")
def check_compile(model):
    torch.compile(model.cuda())  #: GPU202 same


@torch.cuda.amp.autocast()
def check_autocast(model, batch):
    return model(batch.cuda())  #: GPU202 same


@torch.no_grad()
def check_no_grad(model, batch):
    return model(batch.cuda())  #: GPU202 same
