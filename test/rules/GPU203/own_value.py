"""The value is computed before it is assigned."""
import os

import torch

os.environ["CUDA_VISIBLE_DEVICES"] = "0" if torch.cuda.is_available() else ""  #: GPU203
