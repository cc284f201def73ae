# runs: the mapping names a GPU as the original location
import torch

state = torch.load("checkpoints/autoencoder.pth", map_location={"cuda:1": "cpu"})
print(sorted(state))
