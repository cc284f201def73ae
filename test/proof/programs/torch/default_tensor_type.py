# fails: TypeError: type torch.cuda.FloatTensor not available
# stays: only the author knows which type takes the place of a tensor type of CUDA
"""All tensors on the GPU from here on."""
import torch

torch.set_default_tensor_type('torch.cuda.FloatTensor')

x = torch.rand(6, 2)
y = x @ torch.tensor([[1.0], [2.0]]) + 0.5
A = torch.cat([x, torch.ones(6, 1)], dim=1)
solution = torch.linalg.lstsq(A.cpu(), y.cpu()).solution
print([round(value, 2) for value in solution.squeeze().tolist()])
