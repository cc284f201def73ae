"""Other loaders with the same trap, and loaders without it."""
import torch
import torch.distributed.checkpoint as dcp
from mmengine.runner import CheckpointLoader as MMLoader
from monai.data import load_net_with_metadata
from monai.handlers import CheckpointLoader
from safetensors.torch import load_file
from torch import jit
from torch.hub import load_state_dict_from_url
from torch.utils import model_zoo

URL = "https://download.pytorch.org/models/resnet18-f37072fd.pth"


def scripted(path, device):
    module = torch.jit.load(path)  #: GPU101
    again = jit.load(path)  #: GPU101
    nowhere = torch.jit.load(path, map_location=None)  #: GPU101
    with_files = torch.jit.load(path, _extra_files={"config.json": ""})  #: GPU101
    placed = torch.jit.load(path, map_location=device)
    placed_by_position = torch.jit.load(path, device)
    return module, again, nowhere, with_files, placed, placed_by_position


def published():
    a = torch.hub.load_state_dict_from_url(URL)  #: GPU101 hint
    b = load_state_dict_from_url(URL, progress=True)  #: GPU101 hint
    c = torch.utils.model_zoo.load_url(URL)  #: GPU101 hint
    d = model_zoo.load_url(URL, model_dir="weights")  #: GPU101 hint
    e = model_zoo.load_url(URL, map_location="cpu")
    f = load_state_dict_from_url(URL, map_location=torch.device("cpu"))
    return a, b, c, d, e, f


def of_other_libraries(net, path, device):
    state = MMLoader.load_checkpoint(path)  #: GPU101
    placed = MMLoader.load_checkpoint(path, device)
    handler = CheckpointLoader(load_path=path, load_dict={"net": net})  #: GPU101
    placed_handler = CheckpointLoader(path, {"net": net}, None, {"cuda:0": "cpu"})
    scripted, meta, files = load_net_with_metadata(path)  #: GPU101
    return state, placed, handler, placed_handler, scripted(meta), files


def without_the_trap(path, model, state):
    yolo = torch.hub.load("ultralytics/yolov5", "yolov5s", pretrained=True)
    tensors = load_file(path)
    program = torch.export.load(path)
    dcp.load(state, checkpoint_id=path)
    model.load_state_dict(state)
    return yolo, tensors, program
