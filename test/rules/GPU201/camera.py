"""Nothing here knows of tensors."""
from camera import Stream

stream = Stream(device=0)
archive = stream.load_archive(cuda_device=0)  #: GPU201
