"""A function that the file calls, and every time under a guard, is guarded."""
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--cuda", action="store_true")
parser.add_argument("--no-gpu", action="store_true")
args = parser.parse_args()


def setup_gpu():
    torch.cuda.set_device(torch.cuda.device_count() - 1)
    print(torch.cuda.get_device_name())


def report_memory():
    free, total = torch.cuda.mem_get_info()
    print(f"{free / total:.0%} free")


def helper_of_helper(x):
    return x.cuda()


def helper(x):
    return helper_of_helper(x)


def sometimes(x):
    return x.cuda()  #: GPU202


def never_called(x):
    return x.cuda()  #: GPU202 same


def unless_opted_out(x):
    return x.cuda()  #: GPU202 hint


class Timer:
    def _sync(self):
        torch.cuda.synchronize()

    def stop(self):
        if torch.cuda.is_available():
            self._sync()

    def _flush(self):
        torch.cuda.synchronize()  #: GPU202 same

    def start(self):
        self._flush()


def main():
    x = torch.ones(4)
    if torch.cuda.is_available():
        setup_gpu()
        x = helper(x)
        x = sometimes(x)
    if args.cuda:
        report_memory()
    if not args.no_gpu:
        x = unless_opted_out(x)
    return sometimes(x)


if __name__ == "__main__":
    main()
