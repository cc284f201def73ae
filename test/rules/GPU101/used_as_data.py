"""A result that is used as data, everywhere it goes, was saved from the CPU as a rule."""
import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset, TensorDataset


def batches(folder):
    images = torch.load(f"{folder}/images.pt")  #: GPU101 hint
    split = torch.load(f"{folder}/split.pt")  #: GPU101 hint
    rows = torch.load(f"{folder}/rows.pt")  #: GPU101 hint
    loader = DataLoader(TensorDataset(images[split["train"]], images[split["train"]] / 255))
    for row in rows:
        print(row.shape)
    return loader


def mean_of(folder):
    first, second = torch.load(f"{folder}/pair.pt")  #: GPU101 hint
    return torch.cat([first, second]).mean(), len(first)


class Spectra(Dataset):
    def __init__(self, folder):
        self.files = [f"{folder}/{name}" for name in range(9)]
        self.labels = torch.load(f"{folder}/labels.pt")  #: GPU101 hint

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return torch.load(self.files[index]), self.labels[index]  #: GPU101 hint


def as_arrays(folder):
    def read(name):
        return torch.load(f"{folder}/{name}")  #: GPU101 hint

    return np.asarray(read("x.pt")), read("y.pt").tolist()


def lookup(folder):
    vocabulary = torch.load(f"{folder}/words.pt")  #: GPU101 hint
    return [vocabulary.stoi[word] for word in ("a", "b")]


def enumerated(paths):
    tensors = [torch.load(path) for path in paths]  #: GPU101 hint
    for index, tensor in enumerate(tensors):
        print(index, tensor.sum())
    return torch.stack(tensors)


# The neighbors: one use that is none of data, or a name that says what it is.


def partly(model, folder):
    weights = torch.load(f"{folder}/layer.pt")  #: GPU101
    print(weights.shape)
    model.layer.weight.data.copy_(weights)


def renamed(model, folder):
    loaded = torch.load(f"{folder}/other.pt")  #: GPU101
    model.load_state_dict({key.replace("module.", ""): value for key, value in loaded.items()})


def averaged(model, paths):
    loaded = [torch.load(path) for path in paths]  #: GPU101
    total = {key: sum(each[key] for each in loaded) for key in loaded[0]}
    model.load_state_dict(total)


def moved(folder, device):
    features = torch.load(f"{folder}/features.pt")  #: GPU101
    return features.to(device) * 2


def brought_back(folder):
    return torch.load(f"{folder}/features.pt").cpu().numpy()  #: GPU101


def curves(plot, path):
    checkpoint = torch.load(path)  #: GPU101
    return np.array(checkpoint["losses"])


def curves_of_run(plot, path):
    run = torch.load(path)  #: GPU101
    plot(np.array(run["losses"]), title=run["epoch"])


def handed_out(path):
    return torch.load(path)  #: GPU101


def called(path, batch):
    network = torch.load(path)  #: GPU101
    return network(batch).shape


def kept(cache, path):
    cache[path] = torch.load(path)  #: GPU101


def with_what_is_on_the_gpu(query, folder, device):
    index = torch.load(f"{folder}/index.pt")  #: GPU101
    query = query.to(device)
    return index @ query, torch.mm(index, query)


def wherever_it_is(folder):
    images = torch.load(f"{folder}/images.pt")  #: GPU101
    return images * torch.ones(3, device=images.device)


def shown(plot, run, name):
    """`numpy()` without `cpu()` works on tensors of the CPU only."""
    values = torch.load(f"{run}/model={name}.values")  #: GPU101 hint
    plot(values[name].view(4, -1).numpy())
    return values


def shown_from_gpu(plot, run, name):
    values = torch.load(f"{run}/model={name}.values")  #: GPU101
    plot(values[name].cpu().numpy())
