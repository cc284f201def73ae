"""os.environ["CUDA_VISIBLE_DEVICES"] = "1" after torch.cuda.is_available() does nothing."""
import torch

torch.cuda.init()
# os.environ["CUDA_VISIBLE_DEVICES"] = "1"
print('os.environ["CUDA_VISIBLE_DEVICES"] = "1"')
