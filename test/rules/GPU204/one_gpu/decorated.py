#: facts {"visibleGpus": {"count": 1, "names": "RTX 3090"}}
import unittest

import torch


@unittest.skipIf(torch.cuda.device_count() < 2, "needs two GPUs")
def check_two():
    return torch.zeros(1, device="cuda:1")  #: GPU201


def require_multi_gpu(function):
    return function


@require_multi_gpu
def check_more():
    return torch.zeros(1, device="cuda:2")  #: GPU201
