# Helpers of the notebooks.

import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

def move(batch):
    return {key: value.to(device) for key, value in batch.items()}
