"""Nothing here knows of tensors."""
from camera import Stream

stream = Stream(device=0)
