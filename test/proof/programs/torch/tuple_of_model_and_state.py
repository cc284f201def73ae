# fails: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
"""A pickled model together with its hidden state."""
import torch
import networks

model, state = torch.load("checkpoints/language_whole.pt")
model.eval()
tokens = torch.tensor([[1, 2, 3]], device=state.device)
scores, _ = model(tokens, (state, torch.zeros_like(state)))
print(type(model) is networks.LanguageModel, scores.shape)
