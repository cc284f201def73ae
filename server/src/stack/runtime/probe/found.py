"""A framework's answers so far, and facts from the libraries that it has loaded."""

import ctypes
import os
import re
import warnings


class Found:
    """A framework's answers so far."""

    def __init__(self, say, version):
        self.say, self.version = say, str(version)
        self.devices, self.reasons, self.architectures = [], [], []
        self.cudnn = self.cudnn_built = None

    def doing(self, what):
        self.say(doing=what)

    def attempt(self, question):
        """Returns the answer, or None and records the reason if the query fails."""
        try:
            return question()
        except Exception as error:
            self.reasons.append("{}: {}".format(type(error).__name__, error))

    def reason_of(self, start):
        """Repeats a failed initialization to record its reason."""
        self.doing("starting it again to get the reason")
        self.attempt(start)

    def device(self, api, index, properties):
        self.doing("asking for the properties of GPU {}".format(index))
        answer = self.attempt(properties) or {"name": "GPU {}".format(index)}
        blank = {"uuid": None, "computeCapability": None, "memoryTotal": None}
        self.devices.append(dict(blank, api=api, index=index, **answer))

    def recording_warnings(self):
        return Warnings(self.reasons)

    def report(self):
        self.doing("asking the loaded libraries for their versions")
        cudnn, cuda = loaded_library("libcudnn"), loaded_library("libcudart")
        self.say(
            found={
                "version": self.version,
                "devices": self.devices,
                "reasons": self.reasons,
                "architectures": self.architectures,
                "cuda": quietly(lambda: cuda_version(ctypes.CDLL(cuda))) if cuda else None,
                "cudnn": self.cudnn or (quietly(lambda: cudnn_version(ctypes.CDLL(cudnn))) if cudnn else None),
                "cudnnPath": cudnn,
                "cudnnBuilt": self.cudnn_built,
            }
        )


class Warnings:
    """Records the warnings of a framework that would be printed."""

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


def loaded_library(name):
    """
    Returns the path of a library that this process has loaded, if the system lists them. Wheels may contain it under a
    name with a hash: libcudart-80664282.so.10.2.
    """
    file = re.compile(re.escape(name) + r"(-[0-9a-f]+)?\.so")
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
            paths = (line.split(None, 5)[5].strip() for line in maps if "/" in line)
            return next((path for path in paths if file.match(os.path.basename(path))), None)
    except OSError:
        return None


def cudnn_version(library):
    library.cudnnGetVersion.restype = ctypes.c_size_t
    return library.cudnnGetVersion()


def cuda_version(library):
    version = ctypes.c_int(0)
    failed = library.cudaRuntimeGetVersion(ctypes.byref(version))
    return None if failed else version.value


def quietly(question):
    """Returns the answer, or None if the query fails."""
    try:
        return question()
    except Exception:
        return None
