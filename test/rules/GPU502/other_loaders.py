import keras
import lightning.pytorch as pl
import safetensors.numpy
import tensorflow as tf
import torch
from keras.models import load_model
from safetensors import safe_open
from safetensors.torch import load_file


class Net(pl.LightningModule):
    pass


a = torch.jit.load("torch/cpu.pt", map_location="cpu")  #: GPU502
b = torch.jit.load("pointer.pt", map_location="cpu")  #: GPU502
c = load_file("torch/cpu.pt")  #: GPU502
d = load_file("renamed.safetensors")  #: GPU502
e = load_file("others/model.safetensors.index.json")  #: GPU502
f = safetensors.numpy.load_file("pointer.pt")  #: GPU502
with safe_open("torch/cpu.pt", framework="pt") as file:  #: GPU502
    keys = file.keys()
g = load_model("torch/cpu.pt")  #: GPU502
h = keras.saving.load_model("others/kinds.safetensors")  #: GPU502
i = tf.keras.models.load_model("keras/model.weights.h5")  #: GPU502
j = load_model("page.pt")  #: GPU502
k = tf.saved_model.load("keras/plain.keras")  #: GPU502
l = Net.load_from_checkpoint("others/kinds.safetensors", map_location="cpu")
m = Net.load_from_checkpoint("keras/plain.keras", map_location="cpu")  #: GPU502
n = torch.export.load("keras/plain.keras")  #: GPU502

o = torch.jit.load("torch/scripted.pt", map_location="cpu")
p = load_file("others/kinds.safetensors")
with safe_open("others/kinds.safetensors", framework="pt") as file:
    keys = file.keys()
q = load_model("keras/plain.keras")
r = load_model("keras/model.h5")
s = load_model("tensorflow/keras2")
t = tf.saved_model.load("tensorflow/exported")
u = Net.load_from_checkpoint("torch/lightning.ckpt", map_location="cpu")
v = torch.export.load("recent/exported.pt2")
w = safetensors.numpy.load_file("others/kinds.safetensors")
x = load_model("torch")
