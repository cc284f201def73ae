# fails: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
"""The checkpoint also holds the random state, which lives on the CPU, and the mean of the training images."""
import torch

from networks import Classifier

device = "cuda" if torch.cuda.is_available() else "cpu"
ckpt = torch.load("checkpoints/with_cpu_tensors.pt")
model = Classifier()
model.load_state_dict(ckpt["model"])
model.to(device)
torch.set_rng_state(ckpt["rng_state"])
images = torch.rand(4, 1, 8, 8) - ckpt["mean"]
print(model(images.to(device)).argmax(1).tolist())
