"""Each library's own way to fall back."""
import pytorch_lightning as pl
import spacy
import tensorflow as tf
import torch
import torch.distributed as dist
from faster_whisper import WhisperModel
from transformers import TrainingArguments

gpus = tf.config.list_physical_devices("GPU")
if gpus:
    tf.config.experimental.set_memory_growth(gpus[0], True)


def put_together(index):
    return torch.zeros(
        2, device="cuda:" + str(index) if torch.cuda.is_available() else "cpu"
    )


def trainer():
    return pl.Trainer(accelerator='auto', devices=1)


def arguments():
    return TrainingArguments("out", fp16=torch.cuda.is_available())


def group():
    dist.init_process_group(
        "nccl" if torch.cuda.is_available() else "gloo", rank=0, world_size=1
    )


def language():
    spacy.prefer_gpu()


def whisper():
    return WhisperModel("small", device="auto")
