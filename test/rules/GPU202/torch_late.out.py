import os
import sys

os.environ["CUDA_VISIBLE_DEVICES"] = "1"
sys.path.append("..")

import torch; import numpy as np
# What follows is ours.
from networks import build

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

LAYERS = 3

model = build(LAYERS).to(device)
