from .filters import bell
from .sizes import halved
