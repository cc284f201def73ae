#: facts {"lightningVersion": "2.0.6"}
"""A class that has this method, and is imported from elsewhere, is a LightningModule."""
from deepspeech.model import DeepSpeech
from deepspeech import registry


def load_model(path):
    return DeepSpeech.load_from_checkpoint(path).eval()  #: GPU101


def load_placed(path, device):
    return DeepSpeech.load_from_checkpoint(path, map_location=device)


def load_registry(path):
    return registry.load_from_checkpoint(path)
