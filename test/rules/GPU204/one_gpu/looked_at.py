#: facts {"visibleGpus": {"count": 1, "names": "RTX 3090"}}
"""Names of devices that nothing is placed on."""
import torch

device = torch.device("cuda")
if device == "cuda:1" or str(device) in ("cuda:1", "cuda:2"):
    print("cuda:1")
state = torch.load("a.pt", map_location={"cuda:1": "cpu", "cuda:3": "cuda:0"})  #: GPU201
assert state["device"] != torch.device("cuda:1")
rank = 1
print(f"cuda:{rank}", torch.device(f"cuda:{rank}"))
names = {"cuda:1": "second"}
cpu, mps, tpu, xpu = torch.device("cpu"), torch.device("mps", 1), torch.device("xla:1"), torch.device("xpu:1")
