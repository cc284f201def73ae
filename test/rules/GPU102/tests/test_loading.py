import torch


def test_round_trip(tmp_path):
    state = torch.load("tests/data/model.pt", weights_only=False)  #: GPU102 hint
    assert torch.load("tests/data/model.pt", weights_only=True).keys() == state.keys()
