from .ops import *
from .ops import sharpen_image as sharpen
