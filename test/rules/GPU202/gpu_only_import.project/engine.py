import tensorrt as trt


def build(path):
    return trt.Builder(trt.Logger())
