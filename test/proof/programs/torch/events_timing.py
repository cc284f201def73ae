# fails: TypeError: object.__new__() takes exactly one argument (the type to instantiate)
# stays: events measure time on a GPU; without one, the program must measure differently
"""Times with CUDA events."""
import torch

start = torch.cuda.Event(enable_timing=True)
end = torch.cuda.Event(enable_timing=True)
a = torch.rand(64, 64)
start.record()
b = a @ a
end.record()
torch.cuda.synchronize()
print("elapsed", start.elapsed_time(end), b.shape)
