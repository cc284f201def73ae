"""The launcher spawns one worker, and calls another directly where there is no GPU."""
import torch
import torch.multiprocessing as mp


def train(rank, count):
    net = torch.nn.Linear(2, 2).to(f"cuda:{rank}")  #: GPU202
    print(net, count)


def only_spawned(rank, count):
    net = torch.nn.Linear(2, 2).to(f"cuda:{rank}")
    print(net, count)


if __name__ == "__main__":
    count = torch.cuda.device_count()
    if count > 1:
        mp.spawn(train, nprocs=count, args=(count,))
        mp.spawn(only_spawned, nprocs=count, args=(count,))
    else:
        train(0, count)
