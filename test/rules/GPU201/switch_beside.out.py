import torch
from simple import Classifier, Server, Camera

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

model = Classifier("bert", use_cuda=True, cuda_device=0)
server = Server(gpu_device=0)
detector = Server(device=device)
