"""A number is a GPU where a library of tensors takes it for a device."""
import cv2
import quiver
import sounddevice as sd
import torch
from transformers import pipeline


def features(sampler, rows):
    return quiver.Feature(rank=0, device=0, rows=rows)  #: GPU201


def move(model):
    return model.to(device=1)  #: GPU201


def ask(model):
    return pipeline("fill-mask", model=model, device=0)  #: GPU201


def on_cpu(model):
    return pipeline("fill-mask", model=model, device=-1)


def listen(seconds, rate):
    # A microphone and a camera have numbers too.
    recording = sd.rec(seconds * rate, samplerate=rate, device=1)
    return recording, cv2.VideoCapture(device=0), torch.from_numpy(recording)


def read(archive, load_archive):
    return load_archive(archive, cuda_device=0)  #: GPU201


def count(trainer):
    return trainer(devices=1, num_device=2)


def replicate(model):
    ids = [0, 1]  #: GPU201 hint, GPU201 hint
    return torch.nn.DataParallel(model, device_ids=ids)
