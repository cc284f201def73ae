# fails: AssertionError: Torch not compiled with CUDA enabled
"""Mixed precision with a gradient scaler."""
import torch
from torch.cuda.amp import GradScaler, autocast

from networks import Classifier

model = Classifier().cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = GradScaler()
for step in range(3):
    images = torch.rand(8, 1, 8, 8).cuda()
    labels = torch.randint(5, (8,)).cuda()
    optimizer.zero_grad()
    with autocast():
        loss = torch.nn.functional.cross_entropy(model(images), labels)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    print(step, loss.item())
