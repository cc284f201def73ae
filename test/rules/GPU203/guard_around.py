"""The test that guards the assignment is what comes too early."""
from os import environ

import torch

if torch.cuda.is_available():
    environ["CUDA_VISIBLE_DEVICES"] = "0"  #: GPU203
else:
    print("no GPU")
