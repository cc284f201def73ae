import argparse
import os
import torch
from networks import build

parser = argparse.ArgumentParser()
parser.add_argument("--gpu", default="0")
args = parser.parse_args()
os.environ["CUDA_VISIBLE_DEVICES"] = args.gpu
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def train(model, x):
    return model.to(device)(x.to(device))


train(build(), torch.zeros(1)).to(device)
