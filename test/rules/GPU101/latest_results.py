"""The name only looks like a test file's."""
import torch

results = torch.load("results/latest.pt")  #: GPU101
print(results["accuracy"])
