# fails: AssertionError: Torch not compiled with CUDA enabled
"""Recommends films; sampling indices go to the GPU too."""
import torch

users, films, factors = 12, 9, 4
torch.manual_seed(3)
U = torch.randn(users, factors, device="cuda:0", requires_grad=True)
V = torch.randn(films, factors, device="cuda:0", requires_grad=True)
ratings = torch.randint(1, 6, (users, films), device="cuda:0").float()
optimizer = torch.optim.Adagrad([U, V], lr=0.1)
for step in range(10):
    i = torch.randint(users, (20,), device="cuda:0")
    j = torch.randint(films, (20,), device="cuda:0")
    error = ((U[i] * V[j]).sum(1) - ratings[i, j]).pow(2).mean()
    optimizer.zero_grad()
    error.backward()
    optimizer.step()
print(f"rmse {error.sqrt().item():.2f}")
