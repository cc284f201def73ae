"""A script that reads its local rank at the top level: all of its top level makes hints."""
import os

import torch

from models import Net

backend = "nccl"
ddp = int(os.environ.get("RANK", -1)) != -1
if ddp:
    torch.distributed.init_process_group(backend=backend)
    ddp_local_rank = int(os.environ["LOCAL_RANK"])
    device = f"cuda:{ddp_local_rank}"  #: GPU202 hint
    torch.cuda.set_device(device)  #: GPU202 hint
else:
    device = "cuda"  #: GPU202

model = Net().to(device)
stream = torch.cuda.Stream()  #: GPU202 same


def estimate_loss(batch):
    return model(batch.cuda())  #: GPU202 same
