#: facts {"lineLength": 79}
import torch


def convert(net, ema, path, name):
    net.load_state_dict(
        torch.load("experiments/pretrained/model_best.pth", map_location="cpu")
    )
    ema.load_state_dict(torch.load("experiments/%s/%s_best.pth" % (path, name), map_location="cpu")["params_ema"])
    found = torch.load(
        'experiments/pretrained_models/something_long_and_official.pth',
        map_location='cpu')
    other = torch.load(path,
                       'experiments/pretrained_models/something_long' + name)
    # It was too long before.
    net.load_state_dict(torch.load("experiments/pretrained/model_of_a_very_long_name_indeed.pth", map_location="cpu"))
    first, second = torch.load("experiments/first_of_all_files.pth", map_location="cpu"), torch.load("2.pth", map_location="cpu")
    return found, other, first, second
