#: facts {"visibleGpus": {"count": 1, "names": "RTX 3090"}}
"""What the program itself makes visible is not known here."""
import os
import sys

import torch

os.environ["CUDA_VISIBLE_DEVICES"] = sys.argv[1]
model = torch.nn.Linear(2, 2).to("cuda:1")  #: GPU201
