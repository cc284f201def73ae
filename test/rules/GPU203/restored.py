"""Putting back what was there is no choice."""
import os

import torch

before = os.environ.get("CUDA_VISIBLE_DEVICES", "")
torch.cuda.init()
os.environ["CUDA_VISIBLE_DEVICES"] = before


def run(old_value):
    torch.cuda.synchronize()
    try:
        print(torch.cuda.current_device())
    finally:
        os.environ["CUDA_VISIBLE_DEVICES"] = "0"


def again(saved_devices):
    torch.cuda.synchronize()
    os.environ["CUDA_VISIBLE_DEVICES"] = saved_devices
    os.environ["CUDA_VISIBLE_DEVICES"] = os.environ["CUDA_VISIBLE_DEVICES"].replace(" ", "")
