"""What a name of a part leaves to be seen is not told by its text."""
import os

os.environ["CUDA_VISIBLE_DEVICES"] = "MIG-GPU-8932f937-d72c-4106-c12f-20bd9faed9f6/1/2"

import torch

torch.cuda.set_device(1)  #: GPU201
