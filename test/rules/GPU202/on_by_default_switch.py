"""A switch that is on unless the user opts out makes a hint of what it encloses."""
import argparse

import click
import torch
from absl import flags

FLAGS = flags.FLAGS
flags.DEFINE_boolean("use_cuda", True, "Run on the GPU.")
flags.DEFINE_boolean("gpu_metrics", False, "Compute metrics on the GPU.")

parser = argparse.ArgumentParser()
parser.add_argument("--cpu", dest="use_cuda", action="store_false", help="stay on the CPU")
parser.add_argument("--use-gpu", type=bool, default=True)
parser.add_argument("--cuda", action=argparse.BooleanOptionalAction, default=True)
parser.add_argument("--gpu", action="store_true")
parser.add_argument("--gpu-eval", action="store_true", default=False)


def main(model):
    args = parser.parse_args()
    if args.use_cuda:
        model = model.cuda()  #: GPU202 hint
    if args.use_gpu:
        model = model.cuda()  #: GPU202 hint
    if args.cuda:
        model = model.cuda()  #: GPU202 hint
    if args.gpu:
        model = model.cuda()
    if args.gpu_eval:
        model = model.cuda()
    if args.use_gpu and torch.cuda.is_available():
        model = model.cuda()
    return model


def predict(model, batch, use_gpu=True):
    if use_gpu:
        model, batch = model.cuda(), batch.cuda()  #: GPU202 hint, GPU202 hint
    return model(batch)


def predict_if_asked(model, batch, use_gpu=False):
    if use_gpu:
        model, batch = model.cuda(), batch.cuda()
    return model(batch)


def required(model, batch, use_gpu):
    if use_gpu:
        model, batch = model.cuda(), batch.cuda()
    return model(batch)


class Inferencer:
    def __init__(self, model, *, gpu=True):
        device = "cuda" if gpu else "cpu"  #: GPU202 hint
        self.model = model.to(device)


@click.command()
@click.option("--use-cuda/--no-use-cuda", default=True)
def evaluate(use_cuda):
    if use_cuda:
        torch.cuda.synchronize()  #: GPU202 hint


@click.command()
@click.option("--use-cuda", is_flag=True)
def benchmark(use_cuda):
    if use_cuda:
        torch.cuda.synchronize()


def switched_in_the_source(model):
    use_cuda = True
    if use_cuda:
        model = model.cuda()  #: GPU202 hint
    return model


def absl_main(model):
    if FLAGS.use_cuda:
        model = model.cuda()  #: GPU202 hint
    if FLAGS.gpu_metrics:
        torch.cuda.synchronize()
    return model
