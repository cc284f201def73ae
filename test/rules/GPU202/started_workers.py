import multiprocessing
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Thread

import torch
import torch.multiprocessing as mp


def spawned(rank, steps):
    for _ in range(steps):
        train_step(rank)


def train_step(rank):
    return torch.zeros(3).cuda(rank)


def in_process(queue):
    queue.put(torch.zeros(3).cuda())


def in_thread():
    return torch.ones(2).cuda()


def in_pool(item):
    return torch.tensor(item).cuda()


def bound(scale, item):
    return torch.tensor(item).cuda() * scale


def by_name(item):
    return torch.tensor(item).cuda()


def sometimes(item):
    return torch.tensor(item).cuda()  #: GPU202


def handled(item):
    return torch.tensor(item).cuda()  #: GPU202 same


def listed(item):
    return torch.tensor(item).cuda()  #: GPU202 same


STEPS = [listed]


def main(items):
    assert torch.cuda.is_available(), "this program needs a GPU"
    mp.spawn(spawned, nprocs=torch.cuda.device_count(), args=(5,))
    queue = mp.Queue()
    multiprocessing.Process(target=in_process, args=(queue,)).start()
    Thread(target=in_thread).start()
    with ThreadPoolExecutor() as pool:
        pool.submit(in_pool, items[0])
        pool.map(by_name, items)
        pool.map(sometimes, items)
    scaled = partial(bound, 2.0)
    return [scaled(item) for item in items], [step(items) for step in STEPS]


def quick(items):
    try:
        # The error comes out of the thread, not out of this line.
        Thread(target=handled, args=(items[0],)).start()
    except RuntimeError:
        pass
    return Thread(target=sometimes, args=(items[0],))


if __name__ == "__main__":
    main([1, 2, 3])
