# Helpers of the notebooks.

import torch

def move(batch):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return {key: value.to(device) for key, value in batch.items()}
