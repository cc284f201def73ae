# fails: AssertionError: Torch not compiled with CUDA enabled
"""A parameter device that means the name of a phone."""
import torch


def normalise(reading, device):
    values = torch.tensor(reading).cuda()
    return device, ((values - values.mean()) / values.std()).cpu().tolist()


print(normalise([1.0, 2.0, 4.0], device="phone 7"))
