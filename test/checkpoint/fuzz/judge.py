"""Reads streams from standard input with Python's own readers and prints the results; nothing in them is executed.

Each request is a kind (one byte), a length (four bytes, little endian) and the stream; each answer is a line of JSON.
Imports and calls are recorded: each import yields a placeholder class, and calling it yields further placeholders.
"""

import _compat_pickle
import copyreg
import functools
import io
import json
import pickle
import resource
import struct
import sys
import tarfile
import tempfile

# A memo with four billion entries would be allocated first.
resource.setrlimit(resource.RLIMIT_AS, (2**31, 2**31))
sys.setrecursionlimit(500)

MOST_EVENTS = 2000


class TooMuch(BaseException):
    """Ends a stream that records more events than are compared."""


class Record:
    """The imports and calls of one stream, in order."""

    def __init__(self):
        self.events = []

    def note(self, *event):
        if len(self.events) >= MOST_EVENTS:
            raise TooMuch
        self.events.append(event)


record = Record()


class Accepts:
    """An attribute that accepts any call, on a class and on its instances."""

    def __get__(self, instance, owner):
        return lambda *args, **kwargs: None


class Imported(type):
    """The metaclass of all placeholders: they can be called, filled and used as keys."""

    def __call__(cls, *args, **kwargs):
        record.note("call", cls.__name__, len(args))
        return made()

    def __setitem__(cls, key, value):
        pass

    def __iter__(cls):
        return iter(())

    append = extend = add = update = Accepts()
    __setstate__ = Accepts()


def new(cls, *args, **kwargs):
    record.note("call", cls.__name__, len(args))
    return made()


def standing_for(name):
    return type.__new__(Imported, name, (), {"__new__": new, "__setstate__": Accepts()})


def made():
    return standing_for("?")


def find_class(module, name):
    record.note("import", module, name)
    return standing_for(f"{module}.{name}".replace("\0", "?"))


class CUnpickler(pickle.Unpickler):
    def find_class(self, module, name):
        return find_class(module, name)

    def persistent_load(self, pid):
        return made()


class PythonUnpickler(pickle._Unpickler):
    def find_class(self, module, name):
        # The name that the unpickler would import: Python 2 names are translated.
        if self.proto < 3:
            if (module, name) in _compat_pickle.NAME_MAPPING:
                module, name = _compat_pickle.NAME_MAPPING[module, name]
            else:
                module = _compat_pickle.IMPORT_MAPPING.get(module, module)
        return find_class(module, name)

    def persistent_load(self, pid):
        return made()


# Extension codes that a program may have registered.
for code in range(1, 256):
    copyreg._inverted_registry[code] = ("copyreg extension", str(code))


def unpickled(unpickler, stream):
    """Returns the outcome of an unpickler, its final position, and the recorded events."""
    global record
    record = Record()
    copyreg._extension_cache.clear()
    file = io.BytesIO(stream)
    try:
        unpickler(file).load()
        end = "stop"
    except (MemoryError, RecursionError, TooMuch):
        end = "limit"
    except Exception as error:
        end = f"{type(error).__name__}: {error}"[:100]
    return {"end": end, "at": file.tell(), "events": record.events}


def pickles(stream):
    return {"c": unpickled(CUnpickler, stream), "python": unpickled(PythonUnpickler, stream)}


def tar(stream):
    """Returns the files that `tarfile` finds, in order, opened as `torch.load` does."""
    try:
        with tarfile.open(fileobj=io.BytesIO(stream), mode="r:", format=tarfile.PAX_FORMAT) as archive:
            members = [[each.name, each.offset_data, each.size] for each in archive.getmembers() if not each.isdir()]
        return {"members": members}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"[:100]}


def numpy_header(stream):
    """Returns the element type, the shape and the end of the header of a `numpy.save` file."""
    import warnings

    import numpy
    from numpy.lib import format

    warnings.simplefilter("ignore")
    file = io.BytesIO(stream)
    try:
        version = format.read_magic(file)
        format._check_version(version)
        shape, _, dtype = format._read_array_header(file, version, max_header_size=2**31)
        count = int(numpy.multiply.reduce(shape, dtype=numpy.int64)) if shape else 1
        objects = bool(dtype.hasobject)
        return {"shape": list(shape), "bytes": 0 if objects else count * dtype.itemsize, "objects": objects, "end": file.tell()}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"[:100]}


def torch_load(stream):
    """Returns the events that `torch.load` records for a file, with its readers for old and new formats."""
    global record
    prepare_torch()
    record = Record()
    copyreg._extension_cache.clear()
    try:
        load_by_torch(stream)
        end = "stop"
    except (MemoryError, RecursionError, TooMuch):
        end = "limit"
    except Exception as error:
        end = f"{type(error).__name__}: {error}"[:100]
    return {"end": end, "events": record.events}


@functools.cache
def prepare_torch():
    """Makes PyTorch record what it unpickles, without creating pipes, devices, links or TorchScript programs."""
    import torch

    for name in dir(torch):
        if name.endswith("Storage") and hasattr(getattr(torch, name), "dtype"):
            STORAGES[name] = getattr(torch, name).dtype
    # PyTorch 1.13.0 uses Python's own module regardless of the argument.
    torch.serialization.pickle = Recording
    tarfile.TarFile.makefifo = tarfile.TarFile.makedev = tarfile.TarFile.makelink = refuse
    torch.jit.load = refuse
    try:
        load_by_torch(b"c__main__\nnothing\n.")
    except RuntimeError:
        pass
    if record.events != [("import", "__main__", "nothing")]:
        sys.exit("This PyTorch would import what a stream names.")


def load_by_torch(stream):
    import torch

    # PyTorch looks for a tar archive only in real files.
    with tempfile.TemporaryFile() as file:
        file.write(stream)
        file.seek(0)
        torch.load(file, map_location="cpu")


def refuse(*args, **kwargs):
    raise RuntimeError("refused by the judge")


STORAGES = {}


class TorchUnpickler(pickle.Unpickler):
    """Looks up nothing outside the pickle unless `torch.load` requires it."""

    def find_class(self, module, name):
        found = find_class(module, name)
        # The size of a storage in an old archive depends on its element type.
        if module == "torch" and name in STORAGES:
            found.dtype = STORAGES[name]
        return found


class Recording:
    """A `pickle_module` for `torch.load`."""

    Unpickler = TorchUnpickler
    UnpicklingError = pickle.UnpicklingError

    @staticmethod
    def load(file, **options):
        return TorchUnpickler(file, **options).load()


def joblib_load(stream):
    """Returns the events that `joblib.load` records. Its wrappers, arrays and element types are real, all else is not."""
    global record
    import joblib.numpy_pickle
    import numpy

    real = {
        ("joblib.numpy_pickle", "NumpyArrayWrapper"): joblib.numpy_pickle.NumpyArrayWrapper,
        ("numpy", "dtype"): numpy.dtype,
        ("numpy", "ndarray"): numpy.ndarray,
    }

    class Unpickler(joblib.numpy_pickle.NumpyUnpickler):
        def find_class(self, module, name):
            found = find_class(module, name)
            return real.get((module, name), found)

        def load_build(self):
            # NumPy trusts the state of an element type and reads out of bounds for some.
            if len(self.stack) > 1 and isinstance(self.stack[-2], numpy.dtype):
                usual = self.stack[-2].__reduce__()[2]
                state = self.stack[-1]
                if not isinstance(state, tuple) or state[2:] != usual[2:]:
                    raise ValueError("refused by the judge")
            super().load_build()

        dispatch = {**joblib.numpy_pickle.NumpyUnpickler.dispatch, pickle.BUILD[0]: load_build}

    # Object arrays are separate pickles.
    joblib.numpy_pickle.pickle = Recording
    joblib.numpy_pickle.Unpickler = PythonUnpickler
    record = Record()
    copyreg._extension_cache.clear()
    try:
        Unpickler("", io.BytesIO(stream), False).load()
        end = "stop"
    except (MemoryError, RecursionError, TooMuch):
        end = "limit"
    except Exception as error:
        end = f"{type(error).__name__}: {error}"[:100]
    return {"end": end, "events": record.events}


KINDS = {b"j": joblib_load, b"p": pickles, b"t": tar, b"n": numpy_header, b"l": torch_load}


def main():
    source = sys.stdin.buffer
    while head := source.read(5):
        kind, length = struct.unpack("<cI", head)
        print(json.dumps(KINDS[kind](source.read(length)), default=repr), flush=True)


if __name__ == "__main__":
    main()
