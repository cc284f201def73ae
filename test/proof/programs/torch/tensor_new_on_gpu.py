# fails: AssertionError: Torch not compiled with CUDA enabled
"""Lists and comprehensions of tensors."""
import torch

batches = [torch.rand(3, 2) for _ in range(4)]
on_gpu = [b.cuda() for b in batches]
lengths = {n: b.to("cuda").norm() for n, b in enumerate(batches)}
stacked = torch.stack(on_gpu)
total = sum(map(lambda t: t.cuda().sum(), batches))
print(stacked.shape, float(total), float(lengths[0]))
