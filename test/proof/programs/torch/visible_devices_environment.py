# fails: AssertionError: Torch not compiled with CUDA enabled
"""Chooses GPUs by the environment, then takes the first of them."""
import os

os.environ["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID"
os.environ["CUDA_VISIBLE_DEVICES"] = "2"

import torch  # noqa: E402

from networks import Autoencoder  # noqa: E402

model = Autoencoder().cuda(0)
x = torch.rand(4, 6).cuda(0)
print(model(x).shape)
