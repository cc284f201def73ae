"""Writes the checkpoints that the examples load, on any machine: `python make_checkpoints.py`.

PyTorch stores with every tensor the device that it was saved on. Here a location package names a GPU for tensors that
are really in CPU memory, so that the files are what `torch.save` would have written on a machine with those GPUs.
"""

from pathlib import Path

FOLDER = Path(__file__).parent / "checkpoints"


def save_as_from(location, value, name):
    """Saves `value` with every tensor tagged as if it lived on `location`."""
    import torch

    registry = torch.serialization._package_registry
    before = list(registry)
    torch.serialization.register_package(0, lambda storage: location, lambda storage, tag: None)
    try:
        torch.save(value, FOLDER / name)
    finally:
        registry[:] = before
    print(f"{FOLDER.name}/{name}: saved as from {location}")


def save_torch_models():
    import torch

    from networks import DigitNet, Encoder, NameModel

    torch.manual_seed(0)
    save_as_from("cuda:0", {"epoch": 12, "model": DigitNet().state_dict()}, "digits.pt")
    save_as_from("cuda:1", Encoder().state_dict(), "encoder.pt")
    save_as_from("cuda:0", NameModel().state_dict(), "names.pt")


def save_keras_model():
    import keras

    model = keras.Sequential([keras.Input((28, 28, 1)), keras.layers.Flatten(), keras.layers.Dense(10)])
    model.compile(optimizer="adam", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.optimizer.build(model.trainable_variables)
    model.save(FOLDER / "digits.keras")
    print(f"{FOLDER.name}/digits.keras: saved; a Keras file names no device")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for save in (save_torch_models, save_keras_model):
        try:
            save()
        except ImportError as error:
            print(f"{error.name} is not installed: its checkpoints are not written")
