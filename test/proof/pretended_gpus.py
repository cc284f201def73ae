"""Lets PyTorch believe in GPUs: tensors stay in CPU memory but know which device they would be on.

It is there to see that a program which a fix made run without a GPU still runs with one. What PyTorch would refuse is
refused in its words: tensors of several devices in one operation, a GPU that is not there, NumPy's view of a GPU's
memory. What a GPU would compute is computed on the CPU.
"""

import types

import torch
from torch.overrides import TorchFunctionMode

CPU = torch.device("cpu")

# Functions that take tensors of any device beside their own.
INDIFFERENT = {"copy_", "set_", "view_as", "expand_as", "reshape_as", "type_as", "is_same_size"}
INDIFFERENT |= {"_has_compatible_shallow_copy_type", "backward", "storage", "untyped_storage"}


def tensors_in(value):
    """The tensors of a nest of arguments or results."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, dict):
        yield from tensors_in(list(value.values()))
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from tensors_in(item)


class Machine(TorchFunctionMode):
    """A machine with a number of GPUs, as the functions of PyTorch see it."""

    def __init__(self, gpus):
        super().__init__()
        self.gpus = gpus
        self.current = 0
        self.default = CPU
        self.storages = {}

    def device(self, name):
        """The device that a name, an index or None means here, if it is one."""
        if name is None:
            return self.default
        device = torch.device("cuda", name) if isinstance(name, int) else torch.device(name)
        if device.type != "cuda":
            return device
        index = self.current if device.index is None else device.index
        if index >= self.gpus:
            raise RuntimeError("CUDA error: invalid device ordinal")
        return torch.device("cuda", index)

    def put(self, value, device):
        for tensor in tensors_in(value):
            tensor.pretended = device
        return value

    def __torch_function__(self, func, kinds, args=(), kwargs=None):
        kwargs = dict(kwargs or {})
        name = func.__name__
        own = args[0] if args and isinstance(args[0], torch.Tensor) else None
        if name == "_parse_to":
            return func(*args, **kwargs)
        if name in ("__get__", "__set__"):
            return self.attribute(func, func.__self__.__name__, name, args)
        if name in ("cuda", "cpu", "to", "type") and own is not None:
            return self.move(func, name, own, list(args[1:]), kwargs)
        if name in ("numpy", "__array__") and self.place(own).type == "cuda":
            raise TypeError(
                f"can't convert {self.place(own)} device type tensor to numpy. "
                "Use Tensor.cpu() to copy the tensor to host memory first."
            )
        if func is torch.autograd.grad:
            return [self.put(gradient, self.place(to)) for gradient, to in zip(func(*args, **kwargs), tensors_in(args[1]))]
        if "device" in kwargs:
            device = None if kwargs["device"] is None else self.device(kwargs["device"])
            kwargs["device"] = None if device is None else CPU
        else:
            device = None
        inputs = list(tensors_in([args, kwargs]))
        if device is None:
            device = self.place(own) if name in INDIFFERENT else self.common(inputs)
        return self.put(func(*args, **kwargs), device)

    def place(self, tensor):
        """Where a tensor is; what C++ made on its own is anywhere."""
        return getattr(tensor, "pretended", self.default)

    def common(self, inputs):
        """The one device of an operation's tensors; a number in CPU memory goes with any."""
        if not inputs:
            return self.default
        known = {t.pretended for t in inputs if hasattr(t, "pretended") and (t.dim() > 0 or t.pretended != CPU)}
        if len(known) > 1:
            several = " and ".join(sorted(map(str, known), reverse=True))
            raise RuntimeError(f"Expected all tensors to be on the same device, but found at least two devices, {several}!")
        return known.pop() if known else self.default

    def attribute(self, func, attribute, way, args):
        own = args[0]
        if way == "__set__":
            if isinstance(args[1], torch.Tensor) and attribute == "data":
                own.pretended = self.place(args[1])
            return func(*args)
        if attribute == "device":
            return self.place(own)
        if attribute == "is_cuda":
            return self.place(own).type == "cuda"
        return self.put(func(*args), self.place(own))

    def move(self, func, name, own, rest, kwargs):
        """Of `cuda`, `cpu`, `to` and `type`, whose results are on the device that they name."""
        target = self.place(own)
        for key in ("non_blocking", "copy", "memory_format"):
            kwargs.pop(key, None)
        if name == "cuda":
            target = self.device(kwargs.get("device", rest[0] if rest else "cuda") or "cuda")
            rest, kwargs = [], {}
        elif name == "cpu":
            target, rest, kwargs = CPU, [], {}
        elif name == "to":
            if "device" in kwargs:
                target = self.device(kwargs.pop("device") or target)
            elif rest and isinstance(rest[0], (str, int, torch.device)) and not isinstance(rest[0], bool):
                target = self.device(rest.pop(0))
            elif rest and isinstance(rest[0], torch.Tensor):
                target, rest = self.place(rest[0]), [rest[0].dtype]
            rest = [item for item in rest if isinstance(item, torch.dtype)]
        elif rest and (kind := PretendedType.of(rest[0])):
            target, rest = self.device("cuda"), [kind.dtype]
        elif rest and isinstance(rest[0], (str, type)) or not rest:
            if not rest:
                return func(own).replace("torch.", "torch.cuda." if target.type == "cuda" else "torch.")
            target = CPU
        wanted = kwargs.get("dtype", rest[0] if rest else None)
        same = target == self.place(own) and wanted in (None, own.dtype)
        if same:
            return own
        moved = own.clone() if wanted in (None, own.dtype) else own.type(wanted)
        return self.put(moved, target)


class PretendedType:
    """One of `torch.cuda.FloatTensor` and its kin."""

    known = {}

    def __init__(self, machine, kind):
        self.machine, self.kind = machine, getattr(torch, kind)
        self.dtype = self.kind.dtype
        self.known[f"torch.cuda.{kind}"] = self

    def __call__(self, *args):
        values = [value.cpu() if isinstance(value, torch.Tensor) else value for value in args]
        return self.machine.put(self.kind(*values), self.machine.device("cuda"))

    @classmethod
    def of(cls, kind):
        return kind if isinstance(kind, cls) else cls.known.get(kind) if isinstance(kind, str) else None


class Timer:
    """A stream or an event, which have nothing to wait for."""

    def __init__(self, *args, **options):
        pass

    def wait_stream(self, stream):
        pass

    record = wait_event = synchronize = record_event = lambda self, *args: None

    def elapsed_time(self, end):
        return 1.0


class Chosen:
    """`with torch.cuda.device(...)`; -1 chooses none."""

    def __init__(self, machine, device):
        self.machine, self.device = machine, device

    def __enter__(self):
        self.before = self.machine.current
        if self.device != -1:
            self.machine.current = self.machine.device(self.device).index

    def __exit__(self, *error):
        self.machine.current = self.before


def pretend(gpus):
    """From here on there are that many GPUs."""
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


def pretend_default_type(machine):
    real = torch.set_default_tensor_type

    def set_default_tensor_type(kind):
        pretended = PretendedType.of(kind)
        machine.default = machine.device("cuda") if pretended else CPU
        real(pretended.kind if pretended else kind)

    torch.set_default_tensor_type = set_default_tensor_type


def pretend_loading(machine):
    """Storages are restored to the GPUs that are there, by the real rules of `torch.load`."""

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
    """Indexing passes by the functions that a mode is asked about."""
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
    # No kernels of mixed precision are there to be tried: they switch themselves off.
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
