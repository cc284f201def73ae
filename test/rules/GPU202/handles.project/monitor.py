import torch

from base import Monitor


class Memory(Monitor):
    def free(self):
        return [torch.cuda.mem_get_info(card)[0] for card in range(self._cards)]

    def used(self):
        return [torch.cuda.mem_get_info(row)[1] for row in range(self._rows)]  #: GPU202


print(Memory().free(), Memory().used())
