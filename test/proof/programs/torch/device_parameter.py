# fails: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
"""The device is a parameter, but the loader does not get it."""
import torch

from networks import LanguageModel


def load_language_model(path, device):
    model = LanguageModel()
    state_dict = torch.load(path)
    model.load_state_dict(state_dict)
    return model.to(device)


def generate(model, device, length=8):
    token = torch.zeros(1, 1, dtype=torch.long, device=device)
    hidden, words = None, []
    for _ in range(length):
        scores, hidden = model(token, hidden)
        token = scores[:, -1].argmax(-1, keepdim=True)
        words.append(token.item())
    return words


if __name__ == "__main__":
    model = load_language_model("checkpoints/language.pt", device=torch.device("cpu"))
    print(generate(model, "cpu"))
