# fails: TypeError: type torch.cuda.FloatTensor not available
# stays: only the author knows which type takes the place of a tensor type of CUDA
"""The tensor types of old."""
import torch

weights = torch.cuda.FloatTensor([[0.1, 0.2], [0.3, 0.4]])
index = torch.cuda.LongTensor([1, 0])
print(weights.index_select(0, index).sum().item())
