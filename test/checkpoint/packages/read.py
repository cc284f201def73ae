"""Reads the files listed on standard input, one per line, with the libraries of this Python; prints JSON by path."""
import json, os, re, sys, warnings, zipfile

warnings.filterwarnings("ignore")
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = ""


def library(name):
    try:
        return __import__(name)
    except Exception:
        return None


torch, numpy, h5py, joblib = (library(name) for name in ("torch", "numpy", "h5py", "joblib"))


def described(dtype, shape):
    """Returns the type, without its byte order, and the shape."""
    return [getattr(dtype, "name", str(dtype)).replace("torch.", ""), [int(size) for size in shape]]


def tensors_in(value, name, found, seen):
    """Returns the tensors by path, in the form of module names."""
    if isinstance(value, torch.Tensor):
        found[name] = described(value.dtype, value.shape)
        return
    if id(value) in seen:
        return
    seen[id(value)] = value
    if isinstance(value, torch.nn.Module):
        for key, tensor in value.state_dict(keep_vars=True).items():
            found[(name + "." if name else "") + key] = described(tensor.dtype, tensor.shape)
    elif isinstance(value, dict):
        for key, part in value.items():
            tensors_in(part, f"{name}.{key}" if name else str(key), found, seen)
    elif isinstance(value, (list, tuple)):
        for index, part in enumerate(value):
            tensors_in(part, f"{name}.{index}" if name else str(index), found, seen)


def datasets_in(file):
    found = {}

    def visit(name, item):
        if isinstance(item, h5py.Dataset):
            found[name] = described(item.dtype, item.shape or ())

    file.visititems(visit)
    return found


def with_torch(path):
    torch.load(path)


def allowed(path, recipe):
    """Loads a file after allowing its names."""
    exec(recipe)
    try:
        torch.load(path, weights_only=True, map_location="cpu")
    finally:
        torch.serialization.clear_safe_globals()


def of_torch(path):
    """Loads the whole file if its modules are available."""
    found = {}
    options = {} if torch.__version__ < "1.13" else {"weights_only": False}
    tensors_in(torch.load(path, map_location="cpu", **options), "", found, {})
    return found


def with_torch_script(path):
    return {name: described(tensor.dtype, tensor.shape) for name, tensor in torch.jit.load(path).state_dict().items()}


def with_safetensors(path):
    # `inspect` reports which of the two loads it.
    if torch:
        from safetensors.torch import load_file
    else:
        from safetensors.numpy import load_file
    return {name: described(tensor.dtype, tensor.shape) for name, tensor in load_file(path).items()}


def with_gguf(path):
    from gguf import GGUFReader

    reader = GGUFReader(path)
    return {tensor.name: described(tensor.tensor_type.name.lower(), reversed(tensor.shape)) for tensor in reader.tensors}


def with_numpy(path):
    with numpy.load(path) as arrays:
        return {name: described(arrays[name].dtype, arrays[name].shape) for name in arrays.files}


def with_keras(path):
    import keras

    keras.models.load_model(path)


def of_keras(path):
    """Returns the datasets, even if Keras cannot load the model."""
    if not zipfile.is_zipfile(path):
        return datasets_in(h5py.File(path, "r"))
    with zipfile.ZipFile(path) as archive, archive.open("model.weights.h5") as weights:
        return datasets_in(h5py.File(weights, "r"))


def of_saved_model(path):
    import tensorflow as tf

    reader = tf.train.load_checkpoint(os.path.join(path, "variables", "variables"))
    types = reader.get_variable_to_dtype_map()
    return {
        name.removesuffix("/.ATTRIBUTES/VARIABLE_VALUE"): described(types[name].name, shape)
        for name, shape in reader.get_variable_to_shape_map().items()
        if name != "_CHECKPOINTABLE_OBJECT_GRAPH"
    }


def unpickled(path):
    import pickle

    with open(path, "rb") as file:
        pickle.load(file)


def unpacked(path):
    joblib.load(path)


# By format: the loader of a file, and the function that lists its tensors if that is another one.
READERS = {
    "torch": (with_torch, of_torch),
    "torch-legacy": (with_torch, of_torch),
    "torch-tar": (with_torch, of_torch),
    "torchscript": (with_torch_script, with_torch_script),
    "safetensors": (with_safetensors, with_safetensors),
    "gguf": (with_gguf, with_gguf),
    "numpy-archive": (with_numpy, with_numpy),
    "hdf5": (with_keras, of_keras),
    "keras": (with_keras, of_keras),
    "saved-model": (with_keras, of_saved_model),
    "pickle": (unpickled, None),
    "joblib": (unpacked, None),
}


def tried(read, path):
    """Returns the result, or the error."""
    try:
        return read(path), None
    except BaseException as error:
        return None, re.sub(r"\s+", " ", f"{type(error).__name__}: {error}")[:300]


answers = {}
for line in sys.stdin:
    form, path, recipe = line.rstrip("\n").split("\t")
    if form not in READERS:
        continue
    loads, lists = READERS[form]
    found, error = tried(loads, path)
    if lists and lists is not loads:
        found, _ = tried(lists, path)
    answers[path] = {"error": error, "tensors": found}
    if recipe and torch:
        answers[path]["allowed"] = tried(lambda file: allowed(file, recipe), path)[1]
print("\n" + json.dumps(answers))
