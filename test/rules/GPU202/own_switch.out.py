import argparse

import torch

from net import Net, batches


def train(model, use_cuda):
    if use_cuda:
        model.cuda()
    device = torch.device("cuda" if use_cuda else "cpu")
    for batch in batches():
        model(batch.to(device))


def score(args, model):
    if args.cuda:
        model = model.cuda()
    device = torch.device("cuda" if args.cuda else "cpu")
    weights = torch.ones(3).to(device)
    return model(weights)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--no-cuda", action="store_true")
    args = parser.parse_args()
    args.cuda = not args.no_cuda and torch.cuda.is_available()
    device = torch.device("cuda" if args.cuda else "cpu")
    model = Net()
    if args.cuda:
        model.cuda()
    noise = torch.rand(4).to(device)
    model(noise)


if __name__ == "__main__":
    main()


def by_default(x, device=torch.device("cuda" if torch.cuda.is_available() else "cpu")):
    return x.to(device) + torch.zeros(3).to(device)
