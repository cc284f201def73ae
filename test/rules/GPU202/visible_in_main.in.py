import os
import torch
from networks import build


def train(model, x):
    return model.cuda()(x.cuda())


def main(gpu):
    os.environ["CUDA_VISIBLE_DEVICES"] = gpu
    x = torch.zeros(1).cuda()
    model = build().cuda()
    return train(model, x)


if __name__ == "__main__":
    main("0")
