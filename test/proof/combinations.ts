/**
 * Programs in which the value of each kind of fixable code meets each kind of use. A program is the code that binds
 * `value`, followed by a use of it.
 */

const GUARDED = `
def moved(x):
    return x.cuda() if torch.cuda.is_available() else x
`;

/** Code that binds `value`, a tensor of 30 x 12 ones. */
const TENSORS = {
  'a load': 'value = torch.load("checkpoints/ones.pt")',
  'a load beside a device': `place = torch.device("cuda" if torch.cuda.is_available() else "cpu")
value = torch.load("checkpoints/ones.pt")`,
  'a load from a number': 'value = torch.load("checkpoints/ones.pt", map_location="cuda:0")',
  'a load of a whole entry': 'value = torch.load("checkpoints/entries.pt")["rows"]',
  'a method': 'value = torch.ones(30, 12).cuda()',
  'a method with a number': 'value = torch.ones(30, 12).cuda(0)',
  'a method with a variable': `card = 0
value = torch.ones(30, 12).cuda(card)`,
  'a literal': 'value = torch.ones(30, 12, device="cuda")',
  'a constant': `DEVICE = "cuda"
value = torch.ones(30, 12).to(DEVICE)`,
  'a device': `device = torch.device("cuda")
value = torch.ones(30, 12, device=device)`,
  'an index': 'value = torch.ones(30, 12).to("cuda:0")',
  'a device with an index': `device = torch.device("cuda:0")
value = torch.ones(30, 12).to(device)`,
  'a put-together name': `card = 0
value = torch.ones(30, 12).to(f"cuda:{card}")`,
  'a tensor type': 'value = torch.cuda.FloatTensor(30, 12).fill_(1.0)',
} as const;

const OF_TENSORS = {
  'an operator': 'print(float((value + moved(torch.ones(30, 12))).sum()))',
  'a comparison': 'assert torch.all(value == moved(torch.ones(30, 12)))',
  allclose: 'print(torch.allclose(value, moved(torch.ones(30, 12))))',
  'a product': 'print(float((moved(torch.ones(2, 30)) @ value).sum()))',
  'a loss': 'print(float(torch.nn.functional.mse_loss(value, moved(torch.zeros(30, 12)))))',
  'an input that is moved elsewhere': `net = torch.nn.Linear(12, 2)
net.load_state_dict({"weight": value[:2], "bias": value[0, :2]})
net = moved(net)
print(float(net(moved(torch.ones(1, 12))).detach().sum()))`,
  'a weight': `net = torch.nn.Linear(12, 2, bias=False)
net.weight = torch.nn.Parameter(value[:2])
print(float(net(moved(torch.ones(1, 12))).detach().sum()))`,
  'its device': 'print(float((value + torch.ones(30, 12, device=value.device)).sum()))',
  'its own kind of device': 'print(value.is_cuda == torch.cuda.is_available())',
  'a row': `for row in value:
    row = row + moved(torch.ones(12))
print(float(row.sum()))`,
  'a function': `def total(rows, others):
    return float((rows * others).sum())


print(total(value, moved(torch.ones(30, 12))))`,
  'half precision': 'print(float((value.half() @ value.half().t()).float().sum()))',
  'half precision in a model': `net = torch.nn.Linear(12, 2).to(value.device).half()
print(net(value.half()).shape)`,
  NumPy: 'print(value.cpu().numpy().sum())',
  'a number': 'print(value.sum().item())',
} as const;

const RESUME = `from networks import Classifier

net = Classifier()
BEFORE
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
state = torch.load("checkpoints/resume.pth.tar")
net.load_state_dict(state["model"])
optimizer.load_state_dict(state["optimizer"])
AFTER
sum(parameter.square().sum() for parameter in net.parameters()).backward()
optimizer.step()
print(state["epoch"])`;

/** Programs that resume a training from weights and momentum. */
const RESUMED = {
  'a model that is moved before': RESUME.replace('BEFORE', 'net = moved(net)').replace('AFTER', ''),
  'a model that is moved after': RESUME.replace('BEFORE', '').replace('AFTER', 'net = moved(net)'),
  'a model that is moved without a check': RESUME.replace('BEFORE', 'net.cuda()').replace('AFTER', ''),
  'a model on the CPU': RESUME.replace('BEFORE', '').replace('AFTER', ''),
  'a model on its weights': RESUME.replace('net = Classifier()', '')
    .replace(
      'BEFORE',
      'weights = torch.load("checkpoints/resume.pth.tar")["model"]\nnet = Classifier()\nnet.load_state_dict(weights)',
    )
    .replace('AFTER', 'net = moved(net)'),
  'momentum of its own': `momentum = torch.load("checkpoints/ones.pt")
weight = moved(torch.ones(30, 12))
weight -= 0.1 * momentum
print(float(weight.sum()))`,
} as const;

/** Calls that raise without a GPU, whose value is used. */
const CALLS = {
  'the number of a GPU': 'value = torch.cuda.current_device()',
  'the properties of a GPU': 'value = torch.cuda.get_device_properties(0).total_memory',
  'the name of a GPU': 'value = torch.cuda.get_device_name(0)',
  'the capability of a GPU': 'value = torch.cuda.get_device_capability()',
  'a stream': 'value = torch.cuda.Stream()',
  'an event': 'value = torch.cuda.Event(enable_timing=True)',
} as const;

const OF_CALLS = {
  printing: 'print(type(value).__name__ != "")',
  'a format': 'print(f"{value}" != "")',
  'an attribute': 'value.record\nprint(1)',
  'a method': 'value.synchronize()\nprint(1)',
  arithmetic: 'print(value * 2 != 1)',
  'an item': 'print(value[0] != "")',
  'a device': 'print(torch.ones(2).to(value).sum().item())',
} as const;

/** Other code that belongs to a device. */
const OTHERS = {
  'a number has no device': `def put(x, card):
    return x.cuda(card)


print(float(put(torch.ones(2), 0).sum()))`,
  'a number that is passed on': `def put(x, device):
    return x + torch.ones(2, device=device)


card = 0
print(float(put(torch.ones(2).cuda(card), card).sum()))`,
  'a device that may be a number': `class Place:
    def __init__(self, device):
        self.device = device


place = Place(0)
print(float(torch.load("checkpoints/ones.pt", map_location=lambda storage, at: storage.cuda(place.device)).sum()))`,
  'a compute type that is left behind': `from faster_whisper import WhisperModel

model = WhisperModel("small", device="cuda", compute_type="float16")
print(model.transcribe())`,
  'a compute type of both': `from faster_whisper import WhisperModel

model = WhisperModel("small", device="cuda")
print(model.transcribe())`,
  'autocast that is left behind': `net = torch.nn.Linear(12, 2).cuda()
with torch.autocast("cuda"):
    print(net(torch.ones(1, 12).cuda()).shape)`,
  'half weights that are left behind': `net = torch.nn.Linear(12, 2).cuda().half()
print(net(torch.ones(1, 12).cuda().half()).shape)`,
} as const;

/** Stands in for the library: CUDA needs a GPU, and float16 does too. */
const WHISPER = `import torch


class WhisperModel:
    def __init__(self, size, device="auto", compute_type="default"):
        has_gpu = torch.cuda.is_available()
        if device == "cuda" and not has_gpu:
            raise RuntimeError("CUDA failed with error no CUDA-capable device is detected")
        if compute_type == "float16" and not (has_gpu and device != "cpu"):
            raise ValueError("Requested float16 compute type, but the target device or backend do not support it")

    def transcribe(self):
        return "ones"
`;

/** Writes further checkpoints, tagged as saved from a GPU. */
const CHECKPOINTS = `
if __name__ == "__main__":
    save(torch.ones(30, 12), "ones.pt")
    save({"rows": torch.ones(30, 12)}, "entries.pt")
`;

const slug = (words: string) => words.replaceAll(/\W+/g, '_').toLowerCase();

function product(values: Readonly<Record<string, string>>, uses: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(values).flatMap(([value, code]) =>
    Object.entries(uses).map(([use, after]): [string, string] => [
      `${value} in ${use}`,
      `import torch\n\n${GUARDED}\n\n${code}\n${after}\n`,
    ]),
  );
}

const alone = (programs: Readonly<Record<string, string>>): [string, string][] =>
  Object.entries(programs).map(([name, code]) => [name, `import torch\n\n${GUARDED}\n\n${code}\n`]);

/** The programs, by a title in words. */
export const combinations: ReadonlyMap<string, { readonly name: string; readonly text: string }> = new Map(
  [...product(TENSORS, OF_TENSORS), ...alone(RESUMED), ...product(CALLS, OF_CALLS), ...alone(OTHERS)].map(
    ([title, text]) => [title, { name: `${slug(title)}.py`, text }],
  ),
);

/** Files that the programs need, apart from those of `programs/torch`. */
export const companions = { 'faster_whisper.py': WHISPER, appendedToCheckpoints: CHECKPOINTS } as const;
