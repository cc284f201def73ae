import torch
from diffusers import DDIMPipeline, StableDiffusionPipeline
from transformers import AutoModel


def paint(prompt):
    pipe = StableDiffusionPipeline.from_pretrained(
        "some/model", torch_dtype=torch.float16 if torch.cuda.is_available() else torch.float32
    )
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    pipe = pipe.to(device)
    return pipe(prompt)


def at_once(prompt):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    pipe = DDIMPipeline.from_pretrained("some/model", torch_dtype=torch.float16 if torch.cuda.is_available() else torch.float32, variant="fp16").to(device)
    model = AutoModel.from_pretrained("other/model", dtype=torch.half if torch.cuda.is_available() else torch.float32).to(device).eval()
    return pipe(prompt), model


def in_full(prompt):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    pipe = DDIMPipeline.from_pretrained("some/model").to(device)
    return pipe(prompt)
