"""What is no model, or may be none."""
import argparse
import io
import pickle
import tempfile

import dill
import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim
from torchvision import models, transforms

from .networks import Model, load_model

model = nn.Linear(2, 2)
torch.save(model.state_dict(), "weights.pt")
torch.save({"model": model.state_dict(), "epoch": 3}, "training.pt")
torch.save({"model": model, "epoch": 3}, "everything.pt")
torch.save([model.weight, model.bias], "parts.pt")
torch.save(model.weight, "weight.pt")
torch.save(nn.Parameter(torch.zeros(2)), "parameter.pt")
torch.save(torch.zeros(2), "zeros.pt")
torch.save(model(torch.zeros(1, 2)), "output.pt")

state = model.state_dict()
torch.save(state, "state.pt")
optimizer = optim.Adam(model.parameters())
torch.save(optimizer.state_dict(), "optimizer.pt")
torch.save(transforms.ToTensor(), "transform.pt")
weights = models.ResNet18_Weights.DEFAULT
torch.save(weights.meta, "meta.pt")
torch.save(models.list_models(), "names.pt")

torch.save(Model(), "own.pt")
torch.save(load_model("x"), "loaded.pt")
loaded = torch.load("net.pt", weights_only=False)
torch.save(loaded, "again.pt")
mixed = nn.Linear(2, 2) if np.random.rand() > 0.5 else state
torch.save(mixed, "mixed.pt")
model = loaded
torch.save(model, "reassigned.pt")

scripted = torch.jit.script(nn.Linear(2, 2))
torch.jit.save(scripted, "scripted.pt")
scripted.save("scripted.pt")
torch.save(scripted, "scripted.pth")
torch.save(nn.Linear(2, 2), "dill.pt", pickle_module=dill)

net = nn.Linear(2, 2)
buffer = io.BytesIO()
torch.save(net, buffer)  #: GPU103 hint
print(len(buffer.getvalue()))
with tempfile.NamedTemporaryFile() as file:
    torch.save(net, file.name)  #: GPU103 hint
with open("model.pkl", "wb") as file:
    pickle.dump(net, file)
np.save("net.npy", net.weight.detach().numpy())


class Saver:
    def save(self, model, path):
        self.torch.save(model, path)


def save(model, path):
    return model, path


save(net, "x.pt")
# torch.save(net, "x.pt")
