"""`CUDA_VISIBLE_DEVICES` that names GPUs of the author's machine."""
import os


def second():
    os.environ["CUDA_VISIBLE_DEVICES"] = "1"  #: GPU201


def third_and_fourth():
    os.environ["CUDA_VISIBLE_DEVICES"] = "2,3"  #: GPU201


def first_two():
    os.environ["CUDA_VISIBLE_DEVICES"] = "0,1"  #: GPU201 hint


def first():
    os.environ["CUDA_VISIBLE_DEVICES"] = "0"


def none():
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    os.environ["CUDA_VISIBLE_DEVICES"] = "-1"


def chosen(args):
    os.environ["CUDA_VISIBLE_DEVICES"] = args.gpu


def by_default():
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "1")


def for_a_child(environment):
    environment["CUDA_VISIBLE_DEVICES"] = "3"
