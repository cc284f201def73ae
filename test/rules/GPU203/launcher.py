"""Processes that are started later take the variable over."""
import os
import subprocess
import sys

import torch

for gpu in range(torch.cuda.device_count()):
    print(torch.cuda.get_device_name(gpu))
torch.cuda.init()
os.environ["CUDA_VISIBLE_DEVICES"] = "1"  #: GPU203 hint
subprocess.run([sys.executable, "train.py"], check=True)
