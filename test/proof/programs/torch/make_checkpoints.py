"""Writes the checkpoints that the programs load into `checkpoints/`, as machines with GPUs would have written them.

PyTorch stores with every tensor the device that it was saved on. A location package names a GPU for tensors that are
really in CPU memory.
"""

import sys
import types
import zipfile
from pathlib import Path

import torch
from torch import nn

import networks

FOLDER = Path(__file__).parent / "checkpoints"


def save(value, name, location="cuda:0", on_cpu=(), **options):
    """Saves with every tensor tagged as if it lived on `location`, but for the tensors `on_cpu`."""
    stay = {tensor.storage().data_ptr() for tensor in on_cpu}
    registry = torch.serialization._package_registry
    before = list(registry)

    def tag(storage):
        return "cpu" if storage.data_ptr() in stay else location

    torch.serialization.register_package(0, tag, lambda storage, tag: None)
    try:
        torch.save(value, FOLDER / name, **options)
    finally:
        registry[:] = before


def trained(model, steps=2):
    """The model and an Adam optimizer that has a state for each of its parameters."""
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for _ in range(steps):
        sum(parameter.square().sum() for parameter in model.parameters()).backward()
        optimizer.step()
    return model, optimizer


def save_script(module, name, location):
    """TorchScript writes its tensors' devices into the archive's pickle, where the location packages do not reach."""
    here = FOLDER / "script.tmp"
    torch.jit.script(module).save(str(here))
    cpu, gpu = (b"X" + len(text).to_bytes(4, "little") + text for text in (b"cpu", location.encode()))
    with zipfile.ZipFile(here) as source, zipfile.ZipFile(FOLDER / name, "w") as target:
        for member in source.infolist():
            content = source.read(member)
            target.writestr(member.filename, content.replace(cpu, gpu) if member.filename.endswith(".pkl") else content)
    here.unlink()


def save_classifiers():
    model, optimizer = trained(networks.Classifier())
    state = model.state_dict()
    save(state, "classifier.pt")
    save(state, "classifier_gpu1.pth", "cuda:1")
    save(state, "classifier_gpu3.pth", "cuda:3")
    save(state, "classifier_old_format.pth", _use_new_zipfile_serialization=False)
    save(state, "classifier_cpu.pt", "cpu")
    save({f"module.{name}": tensor for name, tensor in state.items()}, "classifier_parallel.pth.tar")
    save({"epoch": 7, "model": state, "optimizer": optimizer.state_dict(), "best_acc": 0.87}, "resume.pth.tar")
    noise = torch.get_rng_state()
    mean = torch.tensor([0.13])
    save({"model": state, "rng_state": noise, "mean": mean}, "with_cpu_tensors.pt", on_cpu=[noise, mean])
    save(model, "whole_classifier.pth")
    save(model, "whole_classifier_gpu1.pth", "cuda:1")
    save(nn.DataParallel(model), "whole_parallel.pth")
    save_script(model.eval(), "scripted.pt", "cuda:0")
    save_script(model.eval(), "scripted_gpu1.pt", "cuda:1")
    shadow = {name: tensor.clone() for name, tensor in state.items()}
    save({"model": state, "ema": {"decay": 0.999, "shadow": shadow}, "steps": 1200}, "ema.ckpt")


def save_others():
    generator, generator_optimizer = trained(networks.Generator())
    discriminator, discriminator_optimizer = trained(networks.Discriminator())
    save(generator.state_dict(), "netG_epoch_24.pth")
    save(discriminator.state_dict(), "netD_epoch_24.pth")
    save(
        {
            "netG": generator.state_dict(),
            "netD": discriminator.state_dict(),
            "optimizerG": generator_optimizer.state_dict(),
            "optimizerD": discriminator_optimizer.state_dict(),
            "epoch": 24,
        },
        "gan.pt",
    )
    language, _ = trained(networks.LanguageModel())
    save(language.state_dict(), "language.pt")
    save((language, torch.zeros(1, 1, 12)), "language_whole.pt")
    autoencoder, _ = trained(networks.Autoencoder())
    save(autoencoder.state_dict(), "autoencoder.pth", "cuda:1")
    q_network, q_optimizer = trained(networks.QNetwork())
    save({"q": q_network.state_dict(), "opt": q_optimizer.state_dict(), "frames": 4000}, "dqn.pth")
    save(torch.randn(30, 12), "embeddings.pt")
    save([torch.randn(6), torch.randn(6)], "statistics.pt", "cuda:1")
    save({f"img_{n}.png": torch.randn(8) for n in range(5)}, "features.pt")
    save((torch.rand(40, 6), torch.randint(2, (40,))), "dataset.pt")
    halves = {name: tensor.half() if tensor.is_floating_point() else tensor for name, tensor in autoencoder.state_dict().items()}
    save(halves, "autoencoder_half.pt")
    teacher = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 3))
    save(teacher, "teacher.pt")


def save_from_main():
    """A whole model whose class was defined in the script that trained it."""
    main = sys.modules["__main__"]
    scope = types.ModuleType("__main__")
    exec(
        "from torch import nn\n"
        "class Regressor(nn.Module):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.fc = nn.Linear(6, 1)\n"
        "    def forward(self, x):\n"
        "        return self.fc(x)\n",
        scope.__dict__,
    )
    sys.modules["__main__"] = scope
    try:
        save(scope.Regressor(), "regressor_whole.pt", "cuda:1")
    finally:
        sys.modules["__main__"] = main


if __name__ == "__main__":
    torch.manual_seed(0)
    FOLDER.mkdir(exist_ok=True)
    save_classifiers()
    save_others()
    save_from_main()
