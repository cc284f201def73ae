# fails: AssertionError: Torch not compiled with CUDA enabled
# stays: a device that is spelled by keywords has no fix
"""The device spelled out."""
import torch

main_device = torch.device(type="cuda", index=0)
model = torch.nn.GRUCell(3, 4).to(main_device)
state = torch.zeros(2, 4, device=main_device)
for step in torch.rand(5, 2, 3):
    state = model(step.to(main_device), state)
print(state.shape)
