"""`*_test.py` is a test file too."""
import torch
import torch.nn as nn


class TestModel:
    device = "cpu"

    def test_forward(self):
        model = nn.Linear(4, 2).to("cuda:0")  #: GPU201 hint
        batch = torch.ones(1, 4, device="cuda:0")  #: GPU201 hint
        assert model(batch).shape == (1, 2)

    def test_cpu(self):
        assert nn.Linear(4, 2).to(self.device)(torch.ones(1, 4)).shape == (1, 2)
