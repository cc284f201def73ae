# fails: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
# offered: it names the second GPU
"""Saved on cuda:1, loaded to cuda:1."""
import torch

from networks import Classifier

device = torch.device("cuda:1")

model = Classifier()
model.load_state_dict(torch.load("checkpoints/classifier_gpu1.pth", map_location=device))
model = model.to(device)
model.eval()

x = torch.rand(5, 1, 8, 8, device=device)
print(model(x).sum().item())
