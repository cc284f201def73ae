import unittest

import torch


class LoadingTest(unittest.TestCase):
    def test_keys(self):
        self.assertIn("weight", torch.load("data/published.pt"))  #: GPU101 hint
