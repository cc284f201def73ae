#: facts {"visibleGpus": {"count": 1, "names": "RTX 3090"}}
"""That there is a GPU does not mean that there are two."""
import torch

device = torch.device("cuda:1" if torch.cuda.is_available() else "cpu")  #: GPU201, GPU204
use_cuda = torch.cuda.is_available()
if use_cuda:
    torch.cuda.set_device(2)  #: GPU201, GPU204
if not torch.cuda.is_available():
    raise SystemExit("no GPU")
model = torch.nn.Linear(2, 2).cuda(1)  #: GPU201 hint, GPU204


def main():
    other = torch.device("cuda:1") if use_cuda else torch.device("cpu")  #: GPU201, GPU204
    return other


if __name__ == "__main__":
    main()
    print(torch.zeros(1, device="cuda:5"))  #: GPU201, GPU204
