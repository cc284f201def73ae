# fails: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
# stays: it names the second GPU
"""Normalises spectrograms with statistics that were saved on the second GPU."""
import torch

stats_mean, stats_std = torch.load("checkpoints/statistics.pt", map_location=torch.device("cuda", 1))
wave = torch.sin(torch.linspace(0, 100, 512))
spectrum = torch.stft(wave, n_fft=10, return_complex=True).abs().t()
normal = (spectrum - stats_mean.cpu()) / (stats_std.cpu().abs() + 1e-3)
print(normal.shape)
