"""PyTorch's functions on a machine with simulated GPUs; see `pretended_gpus.py`."""

import torch
from torch.overrides import TorchFunctionMode

CPU = torch.device("cpu")

# Functions that accept tensors on other devices.
INDIFFERENT = {"copy_", "set_", "view_as", "expand_as", "reshape_as", "type_as", "is_same_size"}
INDIFFERENT |= {"_has_compatible_shallow_copy_type", "backward", "storage", "untyped_storage"}

# Functions that derive a tensor from another without computing.
COPIES = {"clone", "detach", "__deepcopy__", "float", "half", "double", "contiguous", "requires_grad_"}


def tensors_in(value):
    """Yields the tensors in nested arguments or results."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, dict):
        yield from tensors_in(list(value.values()))
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from tensors_in(item)


class Machine(TorchFunctionMode):
    """A machine with simulated GPUs, as seen by PyTorch's functions."""

    def __init__(self, gpus):
        super().__init__()
        self.gpus = gpus
        self.current = 0
        self.default = CPU
        self.storages = {}
        self.calculated = {}

    def device(self, name):
        """Returns the device for a name, an index or None, if it is valid here."""
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
        result = func(*args, **kwargs)
        if name not in INDIFFERENT | COPIES and self.is_calculation(inputs, result):
            self.calculated[str(device)] = self.calculated.get(str(device), 0) + 1
        return self.put(result, device)

    @staticmethod
    def is_calculation(inputs, result):
        """True if tensors were computed from tensors. Scalars, such as the step counters of optimizers, may be on any device."""
        return any(tensor.dim() > 0 for tensor in inputs) and next(tensors_in(result), None) is not None

    def place(self, tensor):
        """Returns the device of a tensor; tensors created internally by C++ have the default device."""
        return getattr(tensor, "pretended", self.default)

    def common(self, inputs):
        """Returns the common device of an operation's tensors; a scalar on the CPU is compatible with any device."""
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
        """Handles `cuda`, `cpu`, `to` and `type`, whose results are on the requested device."""
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
    """A type such as `torch.cuda.FloatTensor`."""

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
