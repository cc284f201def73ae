# runs: "cuda" is only compared as text
import torch

device = next(torch.nn.Linear(2, 2).parameters()).device
print("Use .cuda() or .to('cuda:0') to move it")
if str(device) == "cuda:0" or device.type == "cuda":
    print("on the first GPU")
choices = ["cpu", "cuda", "cuda:0"]
print(str(device) in choices, torch.cuda.device_count(), torch.cuda.memory_allocated())
torch.manual_seed(0)
torch.cuda.manual_seed_all(0)
torch.cuda.empty_cache()
