import os
import torch
from networks import build


def train(model, x):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return model.to(device)(x.to(device))


def main(gpu):
    os.environ["CUDA_VISIBLE_DEVICES"] = gpu
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    x = torch.zeros(1).to(device)
    model = build().to(device)
    return train(model, x)


if __name__ == "__main__":
    main("0")
