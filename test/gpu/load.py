"""Loads the given files according to their names, and prints a line of JSON for each: the error, or the devices."""

import json
import sys

import torch


def devices_in(value):
    if isinstance(value, torch.Tensor):
        return {str(value.device)}
    if isinstance(value, dict):
        return set().union(*map(devices_in, value.values()), set())
    if isinstance(value, (list, tuple)):
        return set().union(*map(devices_in, value), set())
    if isinstance(value, torch.nn.Module):
        return devices_in(value.state_dict())
    return set()


place = None if sys.argv[1] == "-" else sys.argv[1]
for file in sys.argv[2:]:
    load = torch.jit.load if file.endswith("script.pt") else torch.load
    error, devices = None, []
    try:
        devices = sorted(devices_in(load(file, map_location=place)))
    except Exception as failure:
        error = f"{type(failure).__name__}: {failure}"
    print(json.dumps({"error": error, "devices": devices}))
