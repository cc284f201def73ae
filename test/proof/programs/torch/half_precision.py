# fails: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
# stays: CPU builds of PyTorch 1.13 have no half-precision linear layer
"""Halves the memory of the network, which a GPU has kernels for."""
import torch

from networks import Autoencoder

model = Autoencoder().half()
model.load_state_dict(torch.load("checkpoints/autoencoder_half.pt"))
x = torch.rand(2, 6).half()
print(model(x))
