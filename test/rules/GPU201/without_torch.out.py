from sentence_transformers import SentenceTransformer
import torch

model = SentenceTransformer(
    "all-MiniLM-L6-v2", device="cuda" if torch.cuda.is_available() else "cpu"
)
