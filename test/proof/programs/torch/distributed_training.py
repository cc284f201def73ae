# fails: RuntimeError: Distributed package doesn't have NCCL
# stays: NCCL needs GPUs, and only the author can choose another backend
"""Starts one process a GPU."""
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from networks import Autoencoder

os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
os.environ.setdefault("MASTER_PORT", "0")
local_rank = int(os.environ.get("LOCAL_RANK", 0))
dist.init_process_group("nccl", rank=0, world_size=1)
torch.cuda.set_device(local_rank)
model = DistributedDataParallel(Autoencoder().cuda(), device_ids=[local_rank])
print(model(torch.rand(2, 6).cuda()).shape)
