"""Asking torch whether there is a GPU makes CUDA read the variable."""
import os

import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
os.environ["CUDA_VISIBLE_DEVICES"] = "1"  #: GPU203

model = torch.nn.Linear(2, 2).to(device)
