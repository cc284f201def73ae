"""Text is not code, and an index that is computed is not pinned.

    model.to("cuda:0")
    torch.device("cuda:1")
"""
import argparse
import logging
import os
import re

import torch

log = logging.getLogger(__name__)

# device = torch.device("cuda:0")


def text(device):
    """Device such as "cuda:0"; call `.cuda(0)` yourself."""
    print("cuda:0")
    print(f"cuda:0 or {device}")
    log.info("using %s", "cuda:0")
    if not re.match(r"cuda:\d+", device):
        raise ValueError("expected something like cuda:0, or .cuda(0)")
    parser = argparse.ArgumentParser(epilog="run with --device cuda:0")
    parser.add_argument("--device", help="cuda:0", metavar="cuda:0")
    os.environ["CUDA_VISIBLE_DEVICES"] = "0,1"  #: GPU201 hint
    return device.replace("cuda:0", "cuda")


def computed(x, rank, args, gpu_ids):
    x = x.to(f"cuda:{rank}")
    x = x.to("cuda:" + str(rank))
    x = x.to("cuda:%d" % rank)
    x = x.to("cuda:{}".format(gpu_ids[0]))
    x = x.to(f"cuda:{args.local_rank}")
    return torch.zeros_like(x, device=f"cuda:{rank % torch.cuda.device_count()}")


def embedded(x):
    return f"norm {x.to('cuda:0').norm()}"  #: GPU201


def files(step):
    return open(f"trace-cuda:0-{step}.json"), os.path.join("cuda:0", "trace.json")
