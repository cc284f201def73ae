import torch


def test_round_trip(tmp_path):
    saved = {"weight": torch.ones(2)}
    torch.save(saved, tmp_path / "state.pt")
    loaded = torch.load(tmp_path / "state.pt")  #: GPU101 hint
    assert torch.equal(saved["weight"], loaded["weight"])


def test_published_weights():
    state = torch.load("data/published.pt")  #: GPU101 hint
    assert set(state) == {"weight", "bias"}
