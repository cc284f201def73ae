"""Another process's environment is not this one's."""
import os

import torch

torch.cuda.init()
env = {"CUDA_VISIBLE_DEVICES": "1"}
env["CUDA_VISIBLE_DEVICES"] = "0"
child = dict(os.environ, CUDA_VISIBLE_DEVICES="1")
config = {"environment": {"CUDA_VISIBLE_DEVICES": "1"}}
print(os.environ.get("CUDA_VISIBLE_DEVICES"), os.environ["CUDA_VISIBLE_DEVICES"])
if "CUDA_VISIBLE_DEVICES" in os.environ:
    print("CUDA_VISIBLE_DEVICES is set")
os.environ["CUDA_LAUNCH_BLOCKING"] = "1"
os.environ["OMP_NUM_THREADS"] = "1"
