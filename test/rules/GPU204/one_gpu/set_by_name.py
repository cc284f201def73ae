#: facts {"visibleGpus": {"count": 1, "names": "RTX 3090"}}
"""The variable's name is held by another one."""
import os

import torch

KEY = "CUDA_VISIBLE_DEVICES"


def choose(gpus):
    os.environ[KEY] = gpus


model = torch.nn.Linear(2, 2).to("cuda:1")  #: GPU201
