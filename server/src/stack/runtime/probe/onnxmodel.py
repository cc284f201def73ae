"""Models with a single operation for ONNX Runtime, written as protocol buffers without the package `onnx`.

The field numbers are from https://github.com/onnx/onnx/blob/main/onnx/onnx.proto.
"""

FLOAT = 1


def model(operation, inputs, output):
    """Returns a model of the operation. Inputs and output are floats, given as (name, shape)."""
    node = b"".join(text(1, name) for name, _ in inputs) + text(2, output[0]) + text(4, operation)
    graph = block(1, node) + text(2, operation)
    graph += b"".join(block(11, value(*each)) for each in inputs) + block(12, value(*output))
    opset = text(1, "") + number(2, 11)
    # The format of ONNX 1.6, which ONNX Runtime 1.0 and newer can read.
    return number(1, 6) + block(7, graph) + block(8, opset)


def value(name, shape):
    dimensions = b"".join(block(1, number(1, size)) for size in shape)
    return text(1, name) + block(2, block(1, number(1, FLOAT) + block(2, dimensions)))


def number(field, integer):
    return varint(field << 3) + varint(integer)


def text(field, string):
    return block(field, string.encode())


def block(field, content):
    return varint(field << 3 | 2) + varint(len(content)) + content


def varint(integer):
    encoded = bytearray()
    while integer > 0x7F:
        encoded.append(integer & 0x7F | 0x80)
        integer >>= 7
    encoded.append(integer)
    return bytes(encoded)


IDENTITY = model("Identity", [("x", [1])], ("y", [1]))
