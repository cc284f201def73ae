import torch

model = torch.load("whole.pt", map_location="cpu")
model.eval()
print(model(torch.zeros(1, 3)))
