"""Simulates GPUs for PyTorch: tensors stay in CPU memory but know their simulated device.

It verifies that a program fixed to run without a GPU still runs with one. Operations that PyTorch rejects raise its own
errors: tensors on different devices, a missing GPU, NumPy views of GPU memory. The CPU computes in place of the GPUs.
"""

import types

import torch

from pretended_machine import CPU, Machine, PretendedType, tensors_in


class Timer:
    """A stream or an event, with nothing to wait for."""

    def __init__(self, *args, **options):
        pass

    def wait_stream(self, stream):
        pass

    record = wait_event = synchronize = record_event = lambda self, *args: None

    def elapsed_time(self, end):
        return 1.0


class Chosen:
    """`with torch.cuda.device(...)`; -1 changes nothing."""

    def __init__(self, machine, device):
        self.machine, self.device = machine, device

    def __enter__(self):
        self.before = self.machine.current
        if self.device != -1:
            self.machine.current = self.machine.device(self.device).index

    def __exit__(self, *error):
        self.machine.current = self.before


def pretend(gpus):
    """Simulates that many GPUs from now on. Returns the number of operations per device, which is updated later."""
    machine = Machine(gpus)
    cuda = torch.cuda

    def name(device=None):
        return f"Pretended GPU {machine.device('cuda' if device is None else device).index}"

    def choose(device):
        machine.current = machine.device(device).index

    stand_ins = {
        "is_available": lambda: gpus > 0,
        "device_count": lambda: gpus,
        "current_device": lambda: machine.current,
        "set_device": choose,
        "device": lambda device: Chosen(machine, device),
        "get_device_name": name,
        "get_device_capability": lambda device=None: (8, 0),
        "get_device_properties": lambda device=None: types.SimpleNamespace(
            name=name(device), total_memory=2**34, major=8, minor=0, multi_processor_count=80
        ),
        "mem_get_info": lambda device=None: (2**33, 2**34),
        "Stream": Timer,
        "Event": Timer,
        "current_stream": Timer,
        "default_stream": Timer,
        "stream": lambda stream: Chosen(machine, machine.current),
        "synchronize": lambda device=None: None,
        "reset_peak_memory_stats": lambda device=None: None,
    }
    for attribute, stand_in in stand_ins.items():
        setattr(cuda, attribute, stand_in)
    for kind in ("Float", "Double", "Half", "Long", "Int", "Byte", "Bool"):
        setattr(cuda, f"{kind}Tensor", PretendedType(machine, f"{kind}Tensor"))

    pretend_default_type(machine)
    pretend_loading(machine)
    pretend_indexing(machine)
    pretend_the_rest(machine)
    machine.__enter__()
    return machine.calculated


def pretend_default_type(machine):
    real = torch.set_default_tensor_type

    def set_default_tensor_type(kind):
        pretended = PretendedType.of(kind)
        machine.default = machine.device("cuda") if pretended else CPU
        real(pretended.kind if pretended else kind)

    torch.set_default_tensor_type = set_default_tensor_type


def pretend_loading(machine):
    """Restores storages to the simulated GPUs by the real rules of `torch.load`."""

    def restore(storage, location):
        if not location.startswith("cuda"):
            return None
        index = torch.device(location).index or 0
        if index >= machine.gpus:
            raise RuntimeError(
                f"Attempting to deserialize object on CUDA device {index} but torch.cuda.device_count() is {machine.gpus}. "
                "Please use torch.load with map_location to map your storages to an existing device."
            )
        machine.storages[storage.data_ptr()] = torch.device("cuda", index)
        return storage

    torch.serialization.register_package(0, lambda storage: None, restore)
    real = torch._utils._rebuild_tensor

    def rebuild(storage, *rest):
        return machine.put(real(storage, *rest), machine.storages.get(storage.data_ptr(), CPU))

    torch._utils._rebuild_tensor = rebuild
    real_load, real_script = torch.load, torch.jit.load

    def load(*args, **options):
        machine.storages.clear()
        return real_load(*args, **options)

    torch.load = load
    torch.jit.load = lambda file, map_location=None, **options: real_script(file, "cpu", **options)


def pretend_indexing(machine):
    """Simulates indexing, which bypasses the functions that a mode intercepts."""
    real = torch.Tensor.__getitem__

    def getitem(self, index):
        place = machine.place(self)
        for tensor in tensors_in(index):
            if machine.place(tensor) not in (CPU, place):
                raise RuntimeError("indices should be either on cpu or on the same device as the indexed tensor (cpu)")
        return machine.put(real(self, index), place)

    torch.Tensor.__getitem__ = getitem


def pretend_the_rest(machine):
    real_generator, real_from_numpy = torch.Generator, torch.from_numpy
    torch.Generator = lambda device="cpu": machine.device(device) and real_generator()
    torch.from_numpy = lambda array: machine.put(real_from_numpy(array), CPU)
    # There are no mixed-precision kernels, so scalers disable themselves.
    torch.cuda.amp.grad_scaler.amp_definitely_not_available = lambda: True
    torch.cuda.amp.common.amp_definitely_not_available = lambda: True

    def forward(self, *inputs, **options):
        first = [i.to(machine.device(0)) if isinstance(i, torch.Tensor) else i for i in inputs]
        return self.module(*first, **options)

    torch.nn.DataParallel.forward = forward
    torch.nn.parallel.data_parallel._check_balance = lambda device_ids: None

    real_set_rng_state = torch.set_rng_state

    def set_rng_state(state):
        if machine.place(state) != CPU:
            raise TypeError("RNG state must be a torch.ByteTensor")
        real_set_rng_state(state)

    torch.set_rng_state = set_rng_state

    real_parameter = torch.nn.Parameter.__new__

    def parameter(kind, data=None, requires_grad=True):
        return machine.put(real_parameter(kind, data, requires_grad), machine.place(data))

    torch.nn.Parameter.__new__ = parameter
