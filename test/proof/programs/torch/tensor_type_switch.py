# fails: RuntimeError: Cannot initialize CUDA without ATen_cuda library
# stays: only the author knows which type takes the place of a tensor type of CUDA
"""A name for the type of all tensors, as in the first course notes."""
import torch

dtype = torch.cuda.FloatTensor
# dtype = torch.FloatTensor  # to run on the CPU

N, D_in, H, D_out = 8, 10, 6, 2
x = torch.randn(N, D_in).type(dtype)
y = torch.randn(N, D_out).type(dtype)
w1 = torch.randn(D_in, H).type(dtype)
w2 = torch.randn(H, D_out).type(dtype)
for t in range(5):
    h = x.mm(w1).clamp(min=0)
    y_pred = h.mm(w2)
    grad_y_pred = 2.0 * (y_pred - y)
    grad_w2 = h.t().mm(grad_y_pred)
    grad_h = grad_y_pred.mm(w2.t()) * (h > 0).type(dtype)
    w1 -= 1e-6 * x.t().mm(grad_h)
    w2 -= 1e-6 * grad_w2
print((y_pred - y).pow(2).sum().item())
