"""Runs a notebook with the installed IPython and saves it with its outputs: python make.py NAME.ipynb

Needs nbclient and ipykernel. A stub replaces PyTorch, with PyTorch's messages and call stack.
"""
import os
import sys
import tempfile

import nbformat
from nbclient import NotebookClient

TORCH = '''def load(path, map_location=None):
    raise RuntimeError(
        "Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. "
        "If you are running on a CPU-only machine, please use torch.load with map_location=torch.device('cpu') "
        "to map your storages to the CPU."
    )
'''

CELLS = [
    "import torch\n\ndef restore(path):\n    return torch.load(path)",
    '# A function of another cell fails.\nprint(1)\nmodel = restore("model.pt")',
    'for turn in range(2):\n    model = torch.load(\n        "model.pt",\n    )',
    "!python3 train.py",
    "%%bash\npython3 train.py",
    '{}["epochs"]',
    "%run train.py",
    'def once(path):\n    return torch.load(path)\n\nonce("model.pt")',
    "import sys\nsys.stderr.write('Could not load dynamic library libcudart.so.11.0\\n')\n{}['epochs']",
    "def broken(:\n    pass",
]

target = os.path.abspath(sys.argv[1])
os.chdir(tempfile.mkdtemp())
with open("torch.py", "w") as file:
    file.write(TORCH)
with open("train.py", "w") as file:
    file.write('import torch\n\nmodel = torch.load("model.pt")\n')
notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in CELLS])
NotebookClient(notebook, allow_errors=True).execute()
for cell in notebook.cells:
    cell.metadata = {}
with open(target, "w") as file:
    file.write(nbformat.writes(notebook).replace(sys.prefix, "/opt/venv"))
