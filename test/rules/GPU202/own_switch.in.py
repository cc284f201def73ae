import argparse

import torch

from net import Net, batches


def train(model, use_cuda):
    if use_cuda:
        model.cuda()
    for batch in batches():
        model(batch.cuda())


def score(args, model):
    if args.cuda:
        model = model.cuda()
    weights = torch.ones(3).cuda()
    return model(weights)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--no-cuda", action="store_true")
    args = parser.parse_args()
    args.cuda = not args.no_cuda and torch.cuda.is_available()
    model = Net()
    if args.cuda:
        model.cuda()
    noise = torch.rand(4).to("cuda")
    model(noise)


if __name__ == "__main__":
    main()


def by_default(x, device=torch.device("cuda" if torch.cuda.is_available() else "cpu")):
    return x.to(device) + torch.zeros(3).to("cuda")
