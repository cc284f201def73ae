# fails: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
"""A small student learns from a pickled teacher."""
import torch
import torch.nn as nn
import torch.nn.functional as F

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
teacher = torch.load("checkpoints/teacher.pt").to(device).eval()
student = nn.Linear(6, 3).to(device)
optimizer = torch.optim.Adam(student.parameters(), lr=0.05)
for _ in range(5):
    x = torch.rand(16, 6, device=device)
    with torch.no_grad():
        wanted = F.softmax(teacher(x) / 2, dim=1)
    loss = F.kl_div(F.log_softmax(student(x) / 2, dim=1), wanted, reduction="batchmean")
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
