#: facts {"here": {"devices": {"cuda": {"count": 1, "because": "this machine has 1 GPU"}}, "gpus": [{"name": "GPU 0 (small)", "total": 16, "isSplit": false}]}}
"""One GPU, too small for any of the files."""
import torch
from transformers import AutoModelForCausalLM

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

a = torch.load("torch/cpu.pt", map_location=device)  #: GPU505
b = torch.load("torch/cpu.pt", map_location="cpu")  #: GPU505
b = b.to(device)
c = torch.load("torch/cpu.pt", "cpu").cuda()  #: GPU505
d = AutoModelForCausalLM.from_pretrained("./others").to(device)  #: GPU505
e = AutoModelForCausalLM.from_pretrained("others", load_in_8bit=True).to(device)
f = AutoModelForCausalLM.from_pretrained("others")
g = AutoModelForCausalLM.from_pretrained("others", device_map="auto")
