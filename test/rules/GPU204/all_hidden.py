import os

os.environ["CUDA_VISIBLE_DEVICES"] = "-1"

import torch

device = "cuda:0" if torch.cuda.is_available() else "cpu"  #: GPU201 hint
model = torch.nn.Linear(2, 2).to(device)
model.to("cuda:0")  #: GPU201, GPU204
