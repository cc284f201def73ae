"""Importing torch, making a device and counting devices leave the choice open."""
import os

import torch
import torch.nn as nn

torch.manual_seed(0)
torch.backends.cudnn.benchmark = True
device = torch.device("cuda")
print(torch.__version__, torch.cuda.device_count(), torch.version.cuda)
torch.cuda.manual_seed_all(0)
torch.cuda.empty_cache()
os.environ["CUDA_VISIBLE_DEVICES"] = "0"

net = nn.Linear(2, 2).to(device)
