# fails: AssertionError: Torch not compiled with CUDA enabled
"""The device is chosen in main, but a helper does as it likes."""
import torch
from torch import nn


def batches(count):
    for _ in range(count):
        yield torch.rand(4, 3).cuda(), torch.rand(4, 1).cuda()


def main():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.Linear(3, 1).to(device)
    for x, y in batches(2):
        print(nn.functional.mse_loss(model(x), y).item())


if __name__ == "__main__":
    main()
