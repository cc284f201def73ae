# fails: AssertionError: Torch not compiled with CUDA enabled
"""One device for all, but no other than CUDA."""
import torch

from networks import Autoencoder

device = torch.device("cuda")
torch.manual_seed(1)
model = Autoencoder().to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
data = torch.rand(64, 6, device=device)
for epoch in range(5):
    loss = (model(data) - data).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"loss {loss:.4f} on {device}")
