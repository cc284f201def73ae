# runs: the user requests the GPU
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--cuda", action="store_true", help="use CUDA")
parser.add_argument("--gpu_ids", type=str, default="", help="such as 0,1")
args = parser.parse_args()

model = torch.nn.Linear(2, 2)
if args.cuda:
    model = model.cuda()
if args.gpu_ids:
    model = torch.nn.DataParallel(model.to("cuda:0"))
print(model(torch.ones(1, 2)).shape)
