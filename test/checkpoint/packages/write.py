"""Writes files that no package ships into the given folder: GGUF types, joblib compression, all safetensors types."""
import os
import sys

import gguf
import joblib
import numpy
import torch
from safetensors.torch import save_file

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
random = numpy.random.default_rng(0)


def write_gguf(path):
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("types")
    writer.add_array("tokenizer.ggml.tokens", ["a", "b"])
    for kind in gguf.GGMLQuantizationType:
        values = random.standard_normal((4, 256), dtype="f4")
        try:
            quantized = gguf.quants.quantize(values, kind)
        except NotImplementedError:
            continue
        writer.add_tensor(f"blk.0.{kind.name}", quantized, raw_dtype=kind)
    for kind in ("i1", "i2", "i4", "i8", "f8"):
        writer.add_tensor(f"plain.{kind}", numpy.zeros((2, 3), kind))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def write_joblib():
    value = {"weight": random.standard_normal((3, 4)), "steps": numpy.arange(5), "name": "a"}
    joblib.dump(value, os.path.join(folder, "plain.joblib"))
    for name in ("zlib", "gzip", "lz4", "bz2", "xz", "lzma"):
        joblib.dump(value, os.path.join(folder, f"{name}.joblib"), compress=(name, 3))


def write_safetensors(path):
    kinds = {kind for kind in vars(torch).values() if isinstance(kind, torch.dtype)}
    tensors = {}
    for kind in sorted(kinds, key=str):
        try:
            save_file({"weight": torch.zeros(2, 3, dtype=kind)}, path)
        except Exception:
            continue
        tensors[str(kind)] = torch.zeros(2, 3, dtype=kind)
    save_file(tensors, path, metadata={"format": "pt"})


write_gguf(os.path.join(folder, "types.gguf"))
write_joblib()
write_safetensors(os.path.join(folder, "types.safetensors"))
