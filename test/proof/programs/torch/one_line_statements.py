# fails: AssertionError: Torch not compiled with CUDA enabled
# stays: a statement that shares its line has no test of its own
"""Everything that fits on one line."""
import torch; import torch.nn as nn

class Small(nn.Linear): pass
def gpu(x): return x.cuda()
if True: net = Small(2, 2); net = net.cuda()
for _ in range(2): print(net(gpu(torch.ones(1, 2))).shape)
with torch.no_grad(): torch.cuda.synchronize(); y = net(gpu(torch.zeros(1, 2)))
print(y.shape) if y is not None else None
