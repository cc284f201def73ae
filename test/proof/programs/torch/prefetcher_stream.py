# fails: TypeError: object.__new__() takes exactly one argument (the type to instantiate)
# stays: streams order work on a GPU; without one, the program must be written differently
"""Loads the next batch while the GPU works on the last."""
import torch


class Prefetcher:
    def __init__(self, loader):
        self.loader = iter(loader)
        self.stream = torch.cuda.Stream()
        self.preload()

    def preload(self):
        try:
            self.next_batch = next(self.loader)
        except StopIteration:
            self.next_batch = None
            return
        with torch.cuda.stream(self.stream):
            self.next_batch = self.next_batch.cuda(non_blocking=True)

    def next(self):
        torch.cuda.current_stream().wait_stream(self.stream)
        batch = self.next_batch
        self.preload()
        return batch


prefetcher = Prefetcher(torch.rand(3, 4, 2))
batch = prefetcher.next()
while batch is not None:
    print(batch.sum().item())
    batch = prefetcher.next()
