import os
import sys

KEY = "CUDA_VISIBLE_DEVICES"
os.environ["CUDA_VISIBLE_DEVICES"] = "1"  #: GPU201
os.environ[KEY] = sys.argv[1]

import torch

model = torch.nn.Linear(2, 2).to("cuda:1")  #: GPU201
