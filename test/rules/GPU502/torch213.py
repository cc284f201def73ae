#: facts {"torchVersion": "2.13.0", "here": {"devices": {}, "torch": "2.13.0", "keras": "2.15.0"}}
"""PyTorch reads safetensors by their names, and Keras 2 reads folders."""
import keras
import torch

a = torch.load("others/kinds.safetensors")
b = torch.load("renamed.pt", map_location="cpu")  #: GPU502
c = keras.models.load_model("tensorflow/keras2")
