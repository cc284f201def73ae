import argparse
import os
import torch
from networks import build

parser = argparse.ArgumentParser()
parser.add_argument("--gpu", default="0")
args = parser.parse_args()
os.environ["CUDA_VISIBLE_DEVICES"] = args.gpu


def train(model, x):
    return model.cuda()(x.cuda())


train(build(), torch.zeros(1)).cuda()
