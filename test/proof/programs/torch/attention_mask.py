# fails: AssertionError: Torch not compiled with CUDA enabled
"""A causal mask built on the GPU in a method."""
import torch
import torch.nn as nn


class Transformer(nn.Module):
    def __init__(self, size=8):
        super().__init__()
        self.attention = nn.MultiheadAttention(size, 2, batch_first=True)
        self.register_buffer("scale", torch.ones(1))

    def mask(self, length):
        return torch.triu(torch.ones(length, length, device="cuda"), diagonal=1).bool()

    def forward(self, x):
        out, _ = self.attention(x, x, x, attn_mask=self.mask(x.shape[1]))
        return out * self.scale


model = Transformer().to(device="cuda", dtype=torch.float32)
x = torch.randn(2, 4, 8).to(device="cuda", non_blocking=True)
print(model(x).shape)
