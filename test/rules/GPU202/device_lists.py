"""Lists that are empty, or hold only the CPU, without a GPU; a test of their length alone says nothing."""
import torch


def kinds():
    found = ["cpu"]
    if torch.cuda.is_available():
        found.append("cuda")
    return found


def everywhere(net, rows):
    testing = kinds()
    if any(kind.startswith("cuda") for kind in testing):
        net.to("cuda")
    cards = [f"cuda:{index}" for index in range(torch.cuda.device_count())]
    if cards:
        net.to("cuda")
    for index in range(torch.cuda.device_count()):
        print(torch.cuda.get_device_properties(index))
    if len(testing) > 0:
        torch.cuda.synchronize()  #: GPU202


def memory(place):
    if hasattr(place, "type") and (place.type == "cpu" or place.type == "mps"):
        return 0
    return torch.cuda.mem_get_info(place)[0]
