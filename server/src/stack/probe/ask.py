"""What a framework says of the devices that it sees. Each function says what it is doing, and in the end what it found."""

import os
import sys
import warnings

MEBIBYTE = 2**20


def torch(say):
    say(doing="import torch")
    import torch

    found = Found(say, "torch", torch.__version__)
    rocm = getattr(torch.version, "hip", None) is not None
    with found.hearing_warnings():
        found.doing("torch.cuda.is_available()")
        if torch.cuda.is_available():
            for index in range(torch.cuda.device_count()):
                found.device("rocm" if rocm else "cuda", "cuda:{}".format(index), lambda: torch_properties(torch.cuda, index))
        elif rocm or torch.version.cuda is not None:
            found.reason_of(torch.cuda.init)
        found.architectures = found.attempt(lambda: torch_architectures(torch)) or []
        found.doing("torch.backends.cudnn.version()")
        found.cudnn = None if rocm else found.attempt(torch.backends.cudnn.version)

        mps = getattr(torch.backends, "mps", None)
        if mps is not None and mps.is_available():
            found.device("mps", "mps", lambda: {"name": "Apple GPU"})
        xpu = getattr(torch, "xpu", None)
        if xpu is not None:
            found.doing("torch.xpu.is_available()")
            for index in range(xpu.device_count() if xpu.is_available() else 0):
                found.device("xpu", "xpu:{}".format(index), lambda: torch_properties(xpu, index))
    found.tell()


def torch_properties(module, index):
    properties = module.get_device_properties(index)
    capability = "{}.{}".format(properties.major, properties.minor) if hasattr(properties, "major") else None
    return {
        "name": properties.name,
        "memoryTotal": properties.total_memory // MEBIBYTE,
        # For ROCm it is the name of the chip that counts, such as gfx90a.
        "capability": getattr(properties, "gcnArchName", None) or capability,
    }


def torch_architectures(torch):
    """Older releases keep the list to themselves where no GPU is available."""
    flags = getattr(torch._C, "_cuda_getArchFlags", lambda: None)
    return torch.cuda.get_arch_list() or (flags() or "").split()


def tensorflow(say):
    # The reasons are on standard error, and only on this level all of them.
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "0"
    say(doing="import tensorflow")
    import tensorflow

    found = Found(say, "tensorflow", tensorflow.__version__)
    build = found.attempt(tensorflow.sysconfig.get_build_info) or {}
    with found.hearing_warnings():
        found.doing("tensorflow.config.list_physical_devices()")
        devices = [device for device in tensorflow.config.list_physical_devices() if device.device_type != "CPU"]
        for device in devices:
            kind = device.device_type.lower()
            if kind == "gpu":
                kind = "rocm" if build.get("is_rocm_build") else "cuda" if build.get("is_cuda_build") else "mps"
            found.device(kind, device.name.replace("/physical_device:", ""), lambda: tensorflow_details(tensorflow, device))
    found.architectures = list(build.get("cuda_compute_capabilities") or [])
    found.tell()


def tensorflow_details(tensorflow, device):
    details = tensorflow.config.experimental.get_device_details(device)
    capability = details.get("compute_capability")
    return {
        "name": details.get("device_name", device.device_type),
        "capability": None if capability is None else ".".join(str(part) for part in capability),
    }


def jax(say):
    # Otherwise it takes most of each GPU's memory.
    os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    say(doing="import jax")
    import jax

    found = Found(say, "jax", jax.__version__)
    with found.hearing_warnings():
        found.doing("jax.devices()")
        devices = [device for device in jax.devices() if device.platform != "cpu"]
        for device in devices:
            found.device(jax_kind(device), "{}:{}".format(device.platform, device.id), lambda: jax_properties(device))
        if not devices:
            found.reason_of(lambda: jax.devices("gpu"))
    found.tell()


def jax_kind(device):
    if device.platform != "gpu":
        return {"metal": "mps"}.get(device.platform.lower(), device.platform.lower())
    return "rocm" if "rocm" in str(getattr(device.client, "platform_version", "")).lower() else "cuda"


def jax_properties(device):
    capability = getattr(device, "compute_capability", None)
    return {"name": device.device_kind, "capability": None if capability is None else str(capability)}


PROVIDERS = {
    "CUDAExecutionProvider": "cuda",
    "ROCMExecutionProvider": "rocm",
    "MIGraphXExecutionProvider": "rocm",
    "CoreMLExecutionProvider": "mps",
    "DmlExecutionProvider": "directml",
    "OpenVINOExecutionProvider": "xpu",
}


def onnxruntime(say):
    say(doing="import onnxruntime")
    import onnxruntime

    found = Found(say, "onnxruntime", onnxruntime.__version__)
    found.doing("onnxruntime.get_available_providers()")
    for provider in onnxruntime.get_available_providers():
        if provider in PROVIDERS:
            found.device(PROVIDERS[provider], provider, lambda: {"name": provider})
    found.tell()


class Found:
    """What a framework has answered so far."""

    def __init__(self, say, name, version):
        self.say, self.name, self.version = say, name, str(version)
        self.devices, self.reasons, self.architectures = [], [], []
        self.cudnn = None

    def doing(self, what):
        self.say(doing=what)

    def attempt(self, question):
        """The answer, or None where asking failed, which is one of the reasons then."""
        try:
            return question()
        except Exception as error:
            self.reasons.append("{}: {}".format(type(error).__name__, error))

    def reason_of(self, start):
        """Why a start fails that must have failed before."""
        self.doing("starting it again to hear the reason")
        self.attempt(start)

    def device(self, kind, device, properties):
        self.doing("asking for the properties of {}".format(device))
        answer = self.attempt(properties) or {"name": device}
        self.devices.append(dict({"memoryTotal": None, "capability": None}, kind=kind, device=device, **answer))

    def hearing_warnings(self):
        return Warnings(self.reasons)

    def tell(self):
        self.doing("asking the loaded libraries for their versions")
        libraries = loaded_libraries()
        self.say(
            found={
                "version": self.version,
                "devices": self.devices,
                "architectures": self.architectures,
                "reasons": self.reasons,
                "cudnn": self.cudnn or version_of(libraries, "libcudnn.so", cudnn_version),
                "cudaRuntime": version_of(libraries, "libcudart.so", cuda_version("cudaRuntimeGetVersion")),
                "cudaDriver": version_of(libraries, "libcuda.so", cuda_version("cuDriverGetVersion")),
                "libraries": libraries,
            }
        )


class Warnings:
    """Takes down what a framework warns of, where it would be printed."""

    def __init__(self, texts):
        self.texts = texts

    def __enter__(self):
        self.catching = warnings.catch_warnings(record=True)
        self.caught = self.catching.__enter__()
        warnings.simplefilter("always", UserWarning)
        warnings.simplefilter("always", RuntimeWarning)

    def __exit__(self, *error):
        self.catching.__exit__(*error)
        self.texts.extend(str(warning.message) for warning in self.caught if about_devices(warning))


def about_devices(warning):
    return not issubclass(warning.category, (DeprecationWarning, PendingDeprecationWarning, FutureWarning))


LIBRARIES = ("libcudnn.so", "libcudart.so", "libcuda.so", "libcublas.so", "libnccl.so", "libamdhip64.so")


def loaded_libraries():
    """Paths of the libraries that this process has loaded by now, where the system tells."""
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
            paths = {line.split(None, 5)[5].strip() for line in maps if "/" in line}
    except OSError:
        return []
    return sorted(path for path in paths if os.path.basename(path).startswith(LIBRARIES))


def version_of(libraries, name, ask):
    """The version as a number that a loaded library gives; None where it is not loaded or does not tell."""
    for path in libraries:
        if not os.path.basename(path).startswith(name):
            continue
        try:
            import ctypes

            return ask(ctypes, ctypes.CDLL(path))
        except (ImportError, OSError, AttributeError):
            return None
    return None


def cudnn_version(ctypes, library):
    library.cudnnGetVersion.restype = ctypes.c_size_t
    return library.cudnnGetVersion()


def cuda_version(function):
    def ask(ctypes, library):
        version = ctypes.c_int(0)
        failed = getattr(library, function)(ctypes.byref(version))
        return None if failed else version.value

    return ask
