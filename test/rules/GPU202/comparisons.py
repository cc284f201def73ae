"""Comparing with "cuda" or looking for it uses no device."""
import unittest

import torch


def same(x, y, device):
    a = x.device == torch.device("cuda")
    b = device == "cuda"
    c = "cuda" in str(device)
    d = device in ("cuda", "mps")
    e = device.type != "cuda"
    f = device in {"cuda": 1, "cpu": 2}
    g = str(device).startswith("cuda")
    return a, b, c, d, e, f, g


def checks(x):
    assert x.device.type == "cuda"
    assert x.device == torch.device("cuda"), "wrong device"


class DeviceCase(unittest.TestCase):
    def check_device(self, model):
        self.assertEqual(model.device.type, "cuda")
        self.assertEqual(model.device, torch.device("cuda"))
        self.assertIn("cuda", str(model.device))

    def check_moved(self, model):
        self.assertEqual(model.to("cuda").device.type, "cuda")  #: GPU202


def count(rows):
    return sum(row["device"] == "cuda" for row in rows), rows.count("cuda")


def conditional_on_name(x, name):
    target = "gpu" if name == "cuda" else "cpu"
    return x, target
