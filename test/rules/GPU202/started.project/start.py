import torch
import torch.multiprocessing as mp

from alone import work
from together import share

if __name__ == "__main__":
    count = torch.cuda.device_count()
    if count > 1:
        mp.spawn(work, nprocs=count, args=(count,))
        mp.spawn(share, nprocs=count, args=(count,))
    else:
        work(0, count)
