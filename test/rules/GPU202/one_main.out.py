import argparse

import torch

from net import Net


def main():
    parser = argparse.ArgumentParser()
    args = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = Net().to(device)
    print(model, args)


if __name__ == "__main__":
    main()
