"""Answers with what Python's own readers make of streams that arrive on standard input: nothing of them is executed.

Each request is a kind (one byte), a length (four bytes, little endian) and the stream; each answer is a line of JSON.
Imports and calls are recorded: what a stream imports is a class made here, whose calls make further such classes.
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

# A memo of four billion places is allocated before anything else happens.
resource.setrlimit(resource.RLIMIT_AS, (2**31, 2**31))
sys.setrecursionlimit(500)

MOST_EVENTS = 2000


class TooMuch(BaseException):
    """Ends a stream that records more than is compared."""


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
    """An attribute that can be called with anything, on a class as on its objects."""

    def __get__(self, instance, owner):
        return lambda *args, **kwargs: None


class Imported(type):
    """The class of everything that is imported or made: it can be called, filled and used as a key."""

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
        # What the unpickler would import: Python 2's names are translated.
        if self.proto < 3:
            if (module, name) in _compat_pickle.NAME_MAPPING:
                module, name = _compat_pickle.NAME_MAPPING[module, name]
            else:
                module = _compat_pickle.IMPORT_MAPPING.get(module, module)
        return find_class(module, name)

    def persistent_load(self, pid):
        return made()


# Codes that a program may have registered.
for code in range(1, 256):
    copyreg._inverted_registry[code] = ("copyreg extension", str(code))


def unpickled(unpickler, stream):
    """How an unpickler ends, where, and what it recorded on its way."""
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
    """The files that `tarfile` finds, in order, as `torch.load` opens an archive."""
    try:
        with tarfile.open(fileobj=io.BytesIO(stream), mode="r:", format=tarfile.PAX_FORMAT) as archive:
            members = [[each.name, each.offset_data, each.size] for each in archive.getmembers() if not each.isdir()]
        return {"members": members}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"[:100]}


def numpy_header(stream):
    """The element type, the shape and the end of the header of a file of `numpy.save`."""
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
    """What `torch.load` records of a file, through its own readers of old and new forms."""
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
    """Has PyTorch record what it unpickles, and make no pipes, devices, links or programs of TorchScript."""
    import torch

    for name in dir(torch):
        if name.endswith("Storage") and hasattr(getattr(torch, name), "dtype"):
            STORAGES[name] = getattr(torch, name).dtype
    # PyTorch 1.13.0 takes Python's own module whatever it is given.
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

    # PyTorch looks for a tar archive in files only.
    with tempfile.TemporaryFile() as file:
        file.write(stream)
        file.seek(0)
        torch.load(file, map_location="cpu")


def refuse(*args, **kwargs):
    raise RuntimeError("refused by the judge")


STORAGES = {}


class TorchUnpickler(pickle.Unpickler):
    """Looks up nothing outside of the pickle, as long as `torch.load` does not have it do so."""

    def find_class(self, module, name):
        found = find_class(module, name)
        # The size of a storage in an old archive follows from the type of its elements.
        if module == "torch" and name in STORAGES:
            found.dtype = STORAGES[name]
        return found


class Recording:
    """A module of pickle for `torch.load`."""

    Unpickler = TorchUnpickler
    UnpicklingError = pickle.UnpicklingError

    @staticmethod
    def load(file, **options):
        return TorchUnpickler(file, **options).load()


def joblib_load(stream):
    """What `joblib.load` records: its wrappers, arrays and element types are real, all else is not."""
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
            # NumPy believes the state of an element type, and reads beyond its memory for some.
            if len(self.stack) > 1 and isinstance(self.stack[-2], numpy.dtype):
                usual = self.stack[-2].__reduce__()[2]
                state = self.stack[-1]
                if not isinstance(state, tuple) or state[2:] != usual[2:]:
                    raise ValueError("refused by the judge")
            super().load_build()

        dispatch = {**joblib.numpy_pickle.NumpyUnpickler.dispatch, pickle.BUILD[0]: load_build}

    # Arrays of objects are pickles of their own.
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
