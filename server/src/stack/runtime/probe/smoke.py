"""Tests each device that a framework sees: memory, a matrix product and a convolution with known results.

The numbers are small integers, so their products are exact even in TF32; only convolutions that transform their input
round. Without a GPU, the CPU is tested, which shows that the framework works.
"""

import math
import os
import time

from onnxmodel import model

ELEMENTS = 2**22
MATRIX = (256, 256)
IMAGE = (1, 8, 64, 64)
KERNEL = (16, 8, 3, 3)
CONVOLVED = (1, 16, 62, 62)


def torch(say):
    say(doing="import torch")
    import torch

    def numbers(shape, step):
        count = 1
        for size in shape:
            count *= size
        return (torch.arange(count) * step % 13 - 6).reshape(shape).float()

    matrix, other = numbers(MATRIX, 7919), numbers(MATRIX, 104729)
    image, kernel = numbers(IMAGE, 7919), numbers(KERNEL, 11)
    product = matrix.double() @ other.double()
    convolved = torch.nn.functional.conv2d(image.double(), kernel.double())

    def steps(device):
        def convolution():
            return torch.nn.functional.conv2d(image.to(device), kernel.to(device)).cpu().double()

        return (
            ("allocation", lambda: torch.ones(ELEMENTS, device=device).sum().cpu().double(), float(ELEMENTS)),
            ("matrix product", lambda: (matrix.to(device) @ other.to(device)).cpu().double(), product),
            ("convolution", convolution, convolved),
        )

    for device, api, name in torch_devices(torch) or [("cpu", "cpu", "processor")]:
        try_device(say, device, api, name, steps(device))


def torch_devices(torch):
    devices = []
    if torch.cuda.is_available():
        api = "cuda" if getattr(torch.version, "hip", None) is None else "rocm"
        for index in range(torch.cuda.device_count()):
            devices.append(("cuda:{}".format(index), api, torch.cuda.get_device_name(index)))
    mps = getattr(torch.backends, "mps", None)
    if mps is not None and mps.is_available():
        devices.append(("mps", "mps", "Apple GPU"))
    xpu = getattr(torch, "xpu", None)
    if xpu is not None and xpu.is_available():
        for index in range(xpu.device_count()):
            devices.append(("xpu:{}".format(index), "xpu", xpu.get_device_name(index)))
    return devices


def tensorflow(say):
    say(doing="import tensorflow")
    import tensorflow

    inputs = Inputs()
    physical = tensorflow.config.list_physical_devices("GPU")
    for device in physical:
        # Otherwise it allocates all memory of each GPU.
        tensorflow.config.experimental.set_memory_growth(device, True)

    def steps(device):
        def on(compute):
            def run():
                with tensorflow.device(device):
                    return compute().numpy()

            return run

        def convolution():
            # On the CPU it supports only channels-last images.
            image = tensorflow.constant(inputs.image.transpose(0, 2, 3, 1))
            kernel = tensorflow.constant(inputs.kernel.transpose(2, 3, 1, 0))
            return tensorflow.transpose(tensorflow.nn.conv2d(image, kernel, 1, "VALID"), (0, 3, 1, 2))

        def product():
            return tensorflow.linalg.matmul(tensorflow.constant(inputs.matrix), tensorflow.constant(inputs.other))

        return inputs.steps(on(lambda: tensorflow.reduce_sum(tensorflow.ones(ELEMENTS))), on(product), on(convolution))

    build = tensorflow.sysconfig.get_build_info()
    api = "rocm" if build.get("is_rocm_build") else "cuda" if build.get("is_cuda_build") else "mps"
    devices = []
    for index, device in enumerate(physical):
        details = tensorflow.config.experimental.get_device_details(device)
        devices.append(("GPU:{}".format(index), api, details.get("device_name", "GPU")))
    for device, api, name in devices or [("CPU:0", "cpu", "processor")]:
        try_device(say, device, api, name, steps("/" + device))


def jax(say):
    # Otherwise it allocates most of each GPU's memory.
    os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    say(doing="import jax")
    import jax

    inputs = Inputs()

    def steps(device):
        def on(compute, *arrays):
            return lambda: inputs.numpy.asarray(compute(*(jax.device_put(array, device) for array in arrays)))

        def convolution(image, kernel):
            return jax.lax.conv(image, kernel, (1, 1), "VALID")

        return inputs.steps(
            on(jax.numpy.sum, inputs.numpy.ones(ELEMENTS, "float32")),
            on(jax.numpy.matmul, inputs.matrix, inputs.other),
            on(convolution, inputs.image, inputs.kernel),
        )

    devices = jax.devices()
    for device in [each for each in devices if each.platform != "cpu"] or devices[:1]:
        name = "processor" if device.platform == "cpu" else device.device_kind
        rocm = "rocm" in str(getattr(device.client, "platform_version", "")).lower()
        api = ("rocm" if rocm else "cuda") if device.platform == "gpu" else device.platform.lower()
        try_device(say, "{}:{}".format(device.platform, device.id), api, name, steps(device))


PROVIDERS = ("CUDA", "ROCM", "MIGraphX", "CoreML", "Dml")


def onnxruntime(say):
    say(doing="import onnxruntime")
    import onnxruntime

    inputs = Inputs()

    def steps(provider):
        def on(operation, arrays, shape):
            def run():
                named = dict(zip("xy", arrays))
                content = model(operation, [(name, array.shape) for name, array in named.items()], ("z", shape))
                session = onnxruntime.InferenceSession(content, providers=[provider])
                if provider not in session.get_providers():
                    raise RuntimeError("ONNX Runtime went on without the {}".format(provider))
                return session.run(None, named)[0]

            return run

        ones = inputs.numpy.ones(ELEMENTS, "float32")
        copy = on("Identity", [ones], ones.shape)
        return inputs.steps(
            lambda: copy().sum(dtype="float64"),
            on("MatMul", [inputs.matrix, inputs.other], MATRIX),
            on("Conv", [inputs.image, inputs.kernel], CONVOLVED),
        )

    available = onnxruntime.get_available_providers()
    gpus = [name for name in available if name.replace("ExecutionProvider", "") in PROVIDERS]
    for provider in gpus or ["CPUExecutionProvider"]:
        kind = provider.replace("ExecutionProvider", "").lower()
        try_device(say, provider, kind, "processor" if kind == "cpu" else provider, steps(provider))


class Inputs:
    """Inputs for the frameworks that use NumPy, and their expected results."""

    def __init__(self):
        import numpy

        self.numpy = numpy
        self.matrix, self.other = self.numbers(MATRIX, 7919), self.numbers(MATRIX, 104729)
        self.image, self.kernel = self.numbers(IMAGE, 7919), self.numbers(KERNEL, 11)

    def numbers(self, shape, step):
        count = int(self.numpy.prod(shape))
        return (self.numpy.arange(count) * step % 13 - 6).reshape(shape).astype("float32")

    def steps(self, allocation, product, convolution):
        image, kernel = self.image.astype("float64"), self.kernel.astype("float64")
        convolved = self.numpy.zeros(CONVOLVED)
        height, width = CONVOLVED[2:]
        for y in range(KERNEL[2]):
            for x in range(KERNEL[3]):
                part = image[:, :, y : y + height, x : x + width]
                convolved += self.numpy.einsum("nchw,oc->nohw", part, kernel[:, :, y, x])
        return (
            ("allocation", allocation, float(ELEMENTS)),
            ("matrix product", product, self.matrix.astype("float64") @ self.other.astype("float64")),
            ("convolution", convolution, convolved),
        )


def try_device(say, device, api, name, steps):
    """Reports the time and the deviation of each step; stops after the first failure."""
    say(device=device, api=api, name=name)
    for step, run, expected in steps:
        say(doing="{} on {}".format(step, device))
        begin = time.perf_counter()
        try:
            result = run()
        except Exception as error:
            text = "{}: {}".format(type(error).__name__, error)
            say(device=device, step=step, seconds=time.perf_counter() - begin, failure=text)
            return
        seconds = time.perf_counter() - begin
        say(device=device, step=step, seconds=seconds, deviation=deviation(result, expected))


def deviation(result, expected):
    """Returns the largest difference from the expected result, relative to its largest number; None if it is not finite."""
    difference, largest = abs(result - expected), abs(expected)
    if not isinstance(largest, float):
        difference, largest = difference.max(), largest.max()
    relative = float(difference) / float(largest)
    return relative if math.isfinite(relative) else None
