# fails: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
"""Loaded tensors meet others in a comparison, in allclose and in a sum, wherever these are."""
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
packed = torch.zeros(30, 12).to(device)
print(torch.all(packed == torch.load("checkpoints/embeddings.pt")).item())
print(torch.allclose(packed, torch.load("checkpoints/embeddings.pt")))
total = packed + torch.load("checkpoints/embeddings.pt")
print(total.shape)
