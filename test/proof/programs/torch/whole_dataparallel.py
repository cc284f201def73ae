# fails: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
"""Takes the network out of a pickled DataParallel."""
import torch

use_cuda = torch.cuda.is_available()

parallel = torch.load("checkpoints/whole_parallel.pth")
network = parallel.module
if use_cuda:
    network = network.cuda()
image = torch.rand(1, 1, 8, 8)
if use_cuda:
    image = image.cuda()
print("prediction:", network.eval()(image).argmax(1).item())
