#: facts {"torchVersion": "2.9.0", "here": {"devices": {}, "torch": "2.9.0", "keras": "3.12.0"}}
"""What depends on versions."""
import keras
import torch

a = torch.load("torch/scripted.pt", map_location="cpu")  #: GPU502
b = torch.load("torch/scripted.pt", map_location="cpu", weights_only=False)
c = torch.load("others/kinds.safetensors")  #: GPU502
d = keras.models.load_model("tensorflow/keras2")  #: GPU502
e = keras.models.load_model("keras/plain.keras")
f = keras.layers.TFSMLayer("tensorflow/exported")
