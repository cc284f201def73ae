"""Lets TensorFlow believe in one GPU until it starts its devices, and watches what a program does about its memory.

Without memory growth TensorFlow takes nearly all memory of every GPU that it sees when its devices start, which a
machine without a GPU cannot show. Only the list of the devices is pretended; when they start is TensorFlow's own doing.
"""

from tensorflow.python.eager import context

GPU = context.PhysicalDevice(name="/physical_device:GPU:0", device_type="GPU")


def watch():
    """Starts watching; the record it returns goes on being written.

    `taken` is null until the devices start, then true when that took all the memory of the GPU.
    """
    record = {"taken": None}
    careful = set()
    real = {name: getattr(context.Context, name) for name in METHODS}

    def list_physical_devices(self, device_type=None):
        devices = real["list_physical_devices"](self, device_type)
        return [*devices, GPU] if device_type in (None, "GPU") else devices

    def before_the_start(self, device, way):
        if self._initialized:
            raise RuntimeError("Physical devices cannot be modified after being initialized")
        careful.add(way)

    def set_memory_growth(self, device, enable):
        if device != GPU:
            return real["set_memory_growth"](self, device, enable)
        before_the_start(self, device, "growth")

    def set_logical_device_configuration(self, device, configurations):
        if device != GPU:
            return real["set_logical_device_configuration"](self, device, configurations)
        before_the_start(self, device, "limit")

    def set_visible_devices(self, devices, device_type=None):
        if device_type != "GPU":
            return real["set_visible_devices"](self, devices, device_type)
        before_the_start(self, GPU, "visible" if devices else "hidden")

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
