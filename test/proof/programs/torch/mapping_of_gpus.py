# runs: the mapping names a GPU as the place that tensors come from
import torch

state = torch.load("checkpoints/autoencoder.pth", map_location={"cuda:1": "cpu"})
print(sorted(state))
