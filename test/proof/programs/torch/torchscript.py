# fails: NotImplementedError: Could not run 'aten::empty_strided' with arguments from the 'CUDA' backend
"""Serves a TorchScript archive that was exported on a GPU."""
import torch


class Predictor:
    def __init__(self, path):
        self.module = torch.jit.load(path)
        self.module.eval()

    def __call__(self, images):
        with torch.no_grad():
            return self.module(images).argmax(dim=1).tolist()


predictor = Predictor("checkpoints/scripted.pt")
print(predictor(torch.rand(3, 1, 8, 8)))
