"""Each way to name the device "cuda" to something that uses it."""
import torch
from sentence_transformers import SentenceTransformer

import whisper
from diffusers import StableDiffusionPipeline


def to(x):
    return x.to("cuda")  #: GPU202


def to_keyword(x):
    return x.to(device="cuda", dtype=torch.float16)  #: GPU202 same


def to_device_object(x):
    return x.to(torch.device("cuda"))  #: GPU202 same


def to_other(x):
    return x.to("cpu"), x.to("mps"), x.to(torch.float16), x.to("meta")


def factory():
    return torch.zeros(2, 3, device="cuda")  #: GPU202 same


def factory_with_object():
    return torch.arange(10, device=torch.device("cuda"))  #: GPU202 same


def index_in_a_variable(rank):
    return torch.device("cuda", rank)  #: GPU202 same


def type_keyword():
    return torch.device(type="cuda")  #: GPU202 same


def generator(seed):
    return torch.Generator("cuda").manual_seed(seed)  #: GPU202 same


def generator_keyword(seed):
    return torch.Generator(device="cuda").manual_seed(seed)  #: GPU202 same


def cpu_generator(seed):
    return torch.Generator("cpu").manual_seed(seed)


def checkpoint(path):
    return torch.load(path, map_location="cuda")  #: GPU202 same


def checkpoint_object(path):
    return torch.load(path, map_location=torch.device("cuda"))  #: GPU202 same


def scripted(path):
    return torch.jit.load(path, map_location="cuda")  #: GPU202 same


def cpu_checkpoint(path):
    return torch.load(path, map_location="cpu")


def third_parties(prompt):
    pipe = StableDiffusionPipeline.from_pretrained("runwayml/stable-diffusion-v1-5")
    pipe = pipe.to("cuda")  #: GPU202 same
    encoder = SentenceTransformer("all-MiniLM-L6-v2", device="cuda")  #: GPU202 same
    speech = whisper.load_model("base", device="cuda")  #: GPU202 same
    return pipe(prompt), encoder, speech


def other_parameter(model):
    return model.move(target_device="cuda")  #: GPU202 same


def default_device():
    torch.set_default_device("cuda")  #: GPU202 same


def chained(model, batch):
    return (
        model.half()
        .to("cuda")  #: GPU202 same
        .eval()(batch)
    )


def multi_line(prompts):
    return torch.randn(
        len(prompts),
        4,
        device="cuda",  #: GPU202 same
    )


def chained_call(model):
    return (
        model.eval()
        .half()
        .cuda()  #: GPU202 same
    )


def own_function(model):
    return place(model, "cuda")  #: GPU202 same


def place(model, device):
    return model.to(device)


def keywords(model):
    extra = dict(device="cuda", dtype=torch.float16)  #: GPU202 same
    return model.to(**extra)
