# fails: AssertionError: Torch not compiled with CUDA enabled
# stays: a default is only a hint, because the user may pass `--device cpu`
"""The default of an option."""
import argparse

import torch

from networks import Autoencoder

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cuda", help="cuda or cpu")
parser.add_argument("--lr", type=float, default=1e-3)
opt = parser.parse_args()

model = Autoencoder().to(opt.device)
x = torch.rand(8, 6, device=opt.device)
print(model(x).sub(x).norm().item())
