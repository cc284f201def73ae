import os
import subprocess

import torch

env = dict(os.environ)
env["CUDA_VISIBLE_DEVICES"] = "1"
subprocess.run(["python", "other.py"], env=env)
subprocess.run(["python", "other.py"], env={**os.environ, "CUDA_VISIBLE_DEVICES": "0"})
model = torch.nn.Linear(2, 2).to("cuda:1")  #: GPU201
