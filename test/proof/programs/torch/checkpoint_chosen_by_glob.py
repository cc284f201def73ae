# fails: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
"""The newest checkpoint of a run, whichever it is."""
import glob
import os

import torch

from networks import Discriminator

files = sorted(glob.glob("checkpoints/netD_epoch_*.pth"), key=os.path.getmtime)
latest = files[-1]
netD = Discriminator()
netD.load_state_dict(torch.load(latest), strict=False)
score = netD(torch.zeros(1, 4)).item()
print(os.path.basename(latest), 0 < score < 1)
