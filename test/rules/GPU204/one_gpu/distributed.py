#: facts {"visibleGpus": {"count": 1, "names": "RTX 3090"}}
"""A process of several is started where the GPUs are."""
import os

import torch
import torch.distributed as dist

local_rank = int(os.environ["LOCAL_RANK"])
dist.init_process_group("nccl")
torch.cuda.set_device(local_rank)
model = torch.nn.Linear(2, 2).to("cuda:1")  #: GPU201 hint
