import torch
from simple import Classifier, Server, Camera

model = Classifier("bert", use_cuda=True, cuda_device=0)
server = Server(gpu_device=0)
detector = Server(device=0)
