import torch


def test_pickles(tmp_path):
    model = torch.nn.Linear(2, 2)
    torch.save(model, tmp_path / "model.pt")  #: GPU103 hint
