import argparse

import torch

from net import Net


def main():
    parser = argparse.ArgumentParser()
    args = parser.parse_args()
    model = Net().cuda()
    print(model, args)


if __name__ == "__main__":
    main()
