"""A constructor and the set-up of a test have run before any other method."""
import unittest

import torch


class Trainer:
    def __init__(self, model):
        if not torch.cuda.is_available():
            raise RuntimeError("this trainer needs a GPU")
        self.model = model

    def train(self, batch):
        return self.model.cuda()(batch.cuda())


class Evaluator:
    def __init__(self, model, fast):
        if fast:
            assert torch.cuda.is_available()
        self.model = model

    def evaluate(self, batch):
        return self.model.cuda()(batch)  #: GPU202


class OnGpu(unittest.TestCase):
    def setUp(self):
        if not torch.cuda.is_available():
            self.skipTest("needs a GPU")

    def test_sum(self):
        self.assertEqual(torch.ones(2).cuda().sum().item(), 2)


class Anywhere(unittest.TestCase):
    def setUp(self):
        self.tensor = torch.ones(2)

    def test_sum(self):
        self.assertEqual(self.tensor.cuda().sum().item(), 2)  #: GPU202 same
