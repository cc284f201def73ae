"""Comparing with a device, looking for it and asserting it pins nothing."""
import unittest

import torch


def compared(x, device):
    a = str(x.device) == "cuda:0"
    b = x.device == torch.device("cuda:0")
    c = x.device != torch.device("cuda", 1)
    d = device in ("cuda:0", "cuda:1")
    e = "cuda:0" in str(device)
    f = device not in ["cuda:0"]
    g = str(device).startswith("cuda:1")
    return a, b, c, d, e, f, g


def asserted(x):
    assert x.device == torch.device("cuda:0"), "cuda:0"
    assert str(x.device) == "cuda:1"


class DeviceCase(unittest.TestCase):
    def check_device(self, model):
        self.assertEqual(model.device, torch.device("cuda:0"))
        self.assertEqual(str(model.device), "cuda:1")
        self.assertIn(str(model.device), ["cuda:0", "cuda:1"])

    def check_moved(self, model):
        moved = model.to("cuda:1")  #: GPU201
        self.assertEqual(moved.device.index, 1)


def keyed(memory):
    memory["cuda:0"] += 1
    usage = {"cuda:0": 0, "cuda:1": 0}
    return usage["cuda:0"], memory.get("cuda:1")


def matched(device):
    match device:
        case "cuda:0":
            return 0
        case "cuda:1":
            return 1
