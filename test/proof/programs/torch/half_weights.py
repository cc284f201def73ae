# fails: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
"""Weights in half precision for a network that computes in float32."""
import torch

from networks import Autoencoder

state = torch.load("checkpoints/autoencoder_half.pt")
model = Autoencoder()
model.load_state_dict({name: tensor.float() for name, tensor in state.items()})
print(model(torch.rand(2, 6)).shape)
