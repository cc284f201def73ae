# fails: AssertionError: Torch not compiled with CUDA enabled
"""Back and forth between NumPy and the GPU."""
import numpy as np
import torch

rng = np.random.default_rng(0)
signal = rng.normal(size=(4, 16)).astype("float32")
kernel = torch.from_numpy(np.hanning(5).astype("float32")).view(1, 1, 5).cuda()
batch = torch.from_numpy(signal).unsqueeze(1).cuda()
smooth = torch.nn.functional.conv1d(batch, kernel, padding=2)
result = smooth.squeeze(1).detach().cpu().numpy()
print(result.shape, np.isfinite(result).all())
