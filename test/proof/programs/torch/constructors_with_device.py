# fails: AssertionError: Torch not compiled with CUDA enabled
"""K-means, all on the GPU."""
import torch


def kmeans(points, k=3, steps=5):
    centers = points[:k].clone()
    for _ in range(steps):
        nearest = torch.cdist(points, centers).argmin(dim=1)
        counts = torch.zeros(k, device="cuda").index_add_(0, nearest, torch.ones(len(points), device="cuda"))
        sums = torch.zeros(k, 2, device="cuda").index_add_(0, nearest, points)
        centers = sums / counts.clamp(min=1).unsqueeze(1)
    return centers


points = torch.rand(50, 2, device="cuda")
print(kmeans(points).cpu())
