import torch


class Monitor:
    def __init__(self):
        self._cards = torch.cuda.device_count()
        self._rows = 4
