"""Simulates one GPU for TensorFlow until its devices are initialized, and records how a program configures GPU memory.

Without memory growth, TensorFlow allocates nearly all memory of every visible GPU when it initializes its devices, which
a machine without a GPU cannot show. Only the list of devices is simulated; TensorFlow decides when to initialize them.
"""

from tensorflow.python.eager import context

GPU = context.PhysicalDevice(name="/physical_device:GPU:0", device_type="GPU")


def watch():
    """Starts recording; the returned record is updated later.

    `taken` is null until the devices are initialized, and then true if that would allocate all memory of the GPU.
    """
    record = {"taken": None}
    careful = set()
    real = {name: getattr(context.Context, name) for name in METHODS}

    def list_physical_devices(self, device_type=None):
        devices = real["list_physical_devices"](self, device_type)
        return [*devices, GPU] if device_type in (None, "GPU") else devices

    def configure(self, device, way):
        if self._initialized:
            raise RuntimeError("Physical devices cannot be modified after being initialized")
        careful.add(way)

    def set_memory_growth(self, device, enable):
        if device != GPU:
            return real["set_memory_growth"](self, device, enable)
        configure(self, device, "growth")

    def set_logical_device_configuration(self, device, configurations):
        if device != GPU:
            return real["set_logical_device_configuration"](self, device, configurations)
        configure(self, device, "limit")

    def set_visible_devices(self, devices, device_type=None):
        if device_type != "GPU":
            return real["set_visible_devices"](self, devices, device_type)
        configure(self, GPU, "visible" if devices else "hidden")

    def ensure_initialized(self):
        if not self._initialized and record["taken"] is None:
            record["taken"] = not careful & {"growth", "limit", "hidden"}
        real["ensure_initialized"](self)

    for name in METHODS:
        setattr(context.Context, name, locals()[name])
    return record


METHODS = (
    "list_physical_devices",
    "set_memory_growth",
    "set_logical_device_configuration",
    "set_visible_devices",
    "ensure_initialized",
)
