#: facts {"visibleGpus": {"count": 1, "names": "RTX 3090"}}
"""Looking the variable up changes nothing."""
import os

import torch

"CUDA_VISIBLE_DEVICES"
if "CUDA_VISIBLE_DEVICES" in os.environ:
    print("CUDA_VISIBLE_DEVICES", os.environ["CUDA_VISIBLE_DEVICES"], os.getenv("CUDA_VISIBLE_DEVICES"))
model = torch.nn.Linear(2, 2).to("cuda:1")  #: GPU201, GPU204
