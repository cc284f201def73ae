import torch

model = torch.load("whole.pt")
model.eval()
print(model(torch.zeros(1, 3)))
