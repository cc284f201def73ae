"""With this variable, torch looks without initializing CUDA."""
import os

os.environ["PYTORCH_NVML_BASED_CUDA_CHECK"] = "1"
import torch

print(torch.cuda.is_available())
os.environ["CUDA_VISIBLE_DEVICES"] = "1"
