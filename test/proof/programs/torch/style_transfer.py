# fails: AssertionError: Torch not compiled with CUDA enabled
"""Optimises an image, not a network."""
import torch
import torch.nn as nn


def gram(features):
    b, c, h, w = features.shape
    flat = features.view(c, h * w)
    return flat @ flat.t() / (c * h * w)


extractor = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU()).cuda().eval()
content = torch.rand(1, 3, 12, 12).cuda()
style = torch.rand(1, 3, 12, 12).cuda()
image = content.clone().requires_grad_(True)
optimizer = torch.optim.Adam([image], lr=0.02)
target_gram = gram(extractor(style)).detach()
for i in range(4):
    optimizer.zero_grad()
    features = extractor(image)
    loss = nn.functional.mse_loss(gram(features), target_gram)
    loss.backward()
    optimizer.step()
print("style loss", loss.item())
