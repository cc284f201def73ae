#: facts {"lineLength": 79}
import torch


def convert(net, ema, path, name):
    net.load_state_dict(torch.load("experiments/pretrained/model_best.pth"))
    ema.load_state_dict(torch.load("experiments/%s/%s_best.pth" % (path, name))["params_ema"])
    found = torch.load(
        'experiments/pretrained_models/something_long_and_official.pth')
    other = torch.load(path,
                       'experiments/pretrained_models/something_long' + name)
    # It was too long before.
    net.load_state_dict(torch.load("experiments/pretrained/model_of_a_very_long_name_indeed.pth"))
    first, second = torch.load("experiments/first_of_all_files.pth"), torch.load("2.pth")
    return found, other, first, second
