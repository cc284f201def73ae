import torch
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

# Joined with tensors of the CPU: on the GPU it could not be.
points = torch.rand(8, 3)
points = torch.cat([points, torch.load("more_points.pt")])
points = points.to(device)

# Served in batches, each of which is moved.
samples = torch.load("samples.pt")
for batch, target in DataLoader(TensorDataset(samples["x"], samples["y"]), num_workers=2):
    batch = batch.to(device)

# Moved to that device, or copied to a model: wherever that is.
scale = torch.load("scale.pt").to(device)
shift = torch.load("shift.pt").cpu()
model.head.weight.data.copy_(torch.load("head.pt"))
model.load_state_dict(torch.load("model.pt")["model"])

# Calculated with what is on the GPU.
offset = torch.load("offset.pt")
result = points + offset


def whiten(x):
    # Nobody knows where `x` is.
    return x - torch.load("mean.pt")
