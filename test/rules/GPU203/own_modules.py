"""Only torch's own names count."""
import os

from project import cuda, torch_like as torch

cuda.init()
print(torch.cuda_is_available(), cuda.is_available())
os.environ["CUDA_VISIBLE_DEVICES"] = "1"
