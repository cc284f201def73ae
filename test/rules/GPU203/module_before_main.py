"""What the module does when it is imported comes before everything in its functions."""
import argparse
import os

import torch

device = "cuda" if torch.cuda.is_available() else "cpu"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gpu", default="0")
    args = parser.parse_args()
    os.environ["CUDA_VISIBLE_DEVICES"] = args.gpu  #: GPU203
    print(device)


if __name__ == "__main__":
    main()
