# fails: AssertionError: Torch not compiled with CUDA enabled
# stays: only the author knows what to show without a GPU
"""Logs the machine and goes on."""
import logging

import torch

logging.basicConfig(level=logging.INFO)
log = logging.getLogger("train")


def log_machine():
    log.info("devices: %d", torch.cuda.device_count())
    log.info("name: %s", torch.cuda.get_device_name())
    log.info("memory: %.1f GB", torch.cuda.get_device_properties(0).total_memory / 1e9)


log_machine()
w = torch.zeros(3, requires_grad=True)
(w - torch.tensor([1.0, 2.0, 3.0])).pow(2).sum().backward()
print(w.grad)
