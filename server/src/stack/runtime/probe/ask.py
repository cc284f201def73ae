"""Queries frameworks for the GPUs that they see. Each function reports its progress and finally its results."""

import importlib
import os

from found import Found, quietly
from onnxmodel import IDENTITY

MEBIBYTE = 2**20


def torch(say):
    say(doing="import torch")
    import torch

    found = Found(say, torch.__version__)
    rocm = getattr(torch.version, "hip", None) is not None
    with found.recording_warnings():
        found.doing("torch.cuda.is_available()")
        if torch.cuda.is_available():
            for index in range(torch.cuda.device_count()):
                found.device("rocm" if rocm else "cuda", index, lambda: torch_properties(torch.cuda, index))
        elif rocm or torch.version.cuda is not None:
            found.reason_of(torch.cuda.init)
        found.architectures = quietly(lambda: torch_architectures(torch)) or []
        found.doing("torch.backends.cudnn.version()")
        if not rocm and torch.version.cuda is not None:
            found.cudnn = found.attempt(torch.backends.cudnn.version)
            found.cudnn_built = quietly(lambda: ".".join(str(part) for part in torch._C._cudnn.getCompileVersion()))

        mps = getattr(torch.backends, "mps", None)
        if mps is not None and mps.is_available():
            found.device("mps", 0, lambda: {"name": "Apple GPU"})
        xpu = getattr(torch, "xpu", None)
        if xpu is not None:
            found.doing("torch.xpu.is_available()")
            for index in range(xpu.device_count() if xpu.is_available() else 0):
                found.device("xpu", index, lambda: torch_properties(xpu, index))
    found.report()


def torch_properties(module, index):
    properties = module.get_device_properties(index)
    uuid = getattr(properties, "uuid", None)
    capability = "{}.{}".format(properties.major, properties.minor) if hasattr(properties, "major") else None
    # From 2.11 on, CUDA builds have the attribute too; it is the GPU's name.
    chip = getattr(properties, "gcnArchName", None) or ""
    return {
        "name": properties.name,
        "uuid": None if uuid is None else "GPU-{}".format(uuid),
        "memoryTotal": properties.total_memory // MEBIBYTE,
        # For ROCm, the name of the chip matters, such as gfx90a.
        "computeCapability": chip if chip.startswith("gfx") else capability,
    }


def torch_architectures(torch):
    """Returns the architectures; older releases hide the list if no GPU is available."""
    flags = getattr(torch._C, "_cuda_getArchFlags", lambda: None)
    return torch.cuda.get_arch_list() or (flags() or "").split()


def tensorflow(say):
    # The reasons are on standard error, and only this level shows all of them.
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "0"
    say(doing="import tensorflow")
    import tensorflow

    found = Found(say, tensorflow.__version__)
    build = quietly(lambda: tensorflow.sysconfig.get_build_info()) or {}
    built_with_cuda = build.get("is_cuda_build") or quietly(lambda: tensorflow.test.is_built_with_cuda())
    own_api = "rocm" if build.get("is_rocm_build") else "cuda" if built_with_cuda else "mps"
    # It was experimental before 2.1.
    listing = getattr(tensorflow.config, "list_physical_devices", None) or tensorflow.config.experimental.list_physical_devices
    with found.recording_warnings():
        found.doing("tensorflow.config.list_physical_devices()")
        for name, api in (("GPU", own_api), ("XPU", "xpu")):
            for index, device in enumerate(listing(name)):
                found.device(api, index, lambda: tensorflow_details(tensorflow, device))
    found.architectures = list(build.get("cuda_compute_capabilities") or [])
    # On Windows it is the start of a file name: "64_8".
    found.cudnn_built = str(build["cudnn_version"]).split("_")[-1] if build.get("cudnn_version") else None
    found.report()


def tensorflow_details(tensorflow, device):
    # New in 2.4.
    details = quietly(lambda: tensorflow.config.experimental.get_device_details(device)) or {}
    capability = details.get("compute_capability")
    return {
        "name": details.get("device_name", device.device_type),
        "computeCapability": None if capability is None else ".".join(str(part) for part in capability),
    }


def jax(say):
    # Otherwise it allocates most of each GPU's memory.
    os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    say(doing="import jax")
    import jax

    found = Found(say, jax.__version__)
    with found.recording_warnings():
        found.doing("jax.devices()")
        seen = {"gpu": [], "cpu": []}
        for device in found.attempt(jax.devices) or []:
            seen.setdefault(device.platform.lower(), []).append(device)
        for device in seen["gpu"]:
            rocm = "rocm" in str(getattr(device.client, "platform_version", "")).lower()
            found.device("rocm" if rocm else "cuda", device.id, lambda: jax_properties(device))
        for device in seen.get("metal", []):
            found.device("mps", device.id, lambda: jax_properties(device))
        if not seen["gpu"]:
            found.reason_of(lambda: jax.devices("gpu"))
    found.cudnn_built = jax_cudnn_built()
    found.report()


def jax_properties(device):
    capability = getattr(device, "compute_capability", None)
    return {"name": device.device_kind, "computeCapability": None if capability is None else str(capability)}


def jax_cudnn_built():
    for plugin in ("jax_cuda13_plugin", "jax_cuda12_plugin", "jaxlib.cuda"):
        version = quietly(lambda: importlib.import_module(plugin + "._versions").cudnn_build_version())
        if version is not None:
            return version
    return None


PROVIDERS = {
    "CUDAExecutionProvider": "cuda",
    "ROCMExecutionProvider": "rocm",
    "MIGraphXExecutionProvider": "rocm",
    "CoreMLExecutionProvider": "mps",
    "DmlExecutionProvider": "directml",
}


def onnxruntime(say):
    say(doing="import onnxruntime")
    import onnxruntime

    found = Found(say, onnxruntime.__version__)
    for provider in onnxruntime.get_available_providers():
        if provider not in PROVIDERS:
            continue
        # A provider listed as available may fail to load, and the session continues without it.
        found.doing("a session with the {}".format(provider))
        session = found.attempt(lambda: onnxruntime.InferenceSession(IDENTITY, providers=[provider]))
        if session is not None and provider in session.get_providers():
            found.device(PROVIDERS[provider], 0, lambda: {"name": provider})
    found.report()
