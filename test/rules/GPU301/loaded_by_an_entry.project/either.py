"""Only one of them runs."""
import sys

from first import load_first
from second import load_second

if len(sys.argv) > 1:
    load_first()
else:
    load_second()
