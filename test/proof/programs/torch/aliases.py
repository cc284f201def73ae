# fails: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
"""Names as some like them."""
import torch as th
import torch.nn.functional as F
from torch import load as tload

from networks import Autoencoder

ae = Autoencoder()
ae.load_state_dict(tload("checkpoints/autoencoder.pth"))
stats = th.load("checkpoints/statistics.pt")
mean, std = stats[0].cpu(), stats[1].cpu().abs() + 1
x = (th.rand(10, 6) - mean) / std
print("reconstruction error", F.mse_loss(ae(x), x).item())
