/** Programs of any length that resemble real training code, for benchmarks. */

/** One class and one function, 53 lines in total, with about as many device sites as research code has. */
function block(index: number): string {
  return `class Block${index}(nn.Module):
    """Residual block ${index}: two convolutions and a shortcut."""

    def __init__(self, channels, stride=1, dropout=0.1):
        super().__init__()
        self.channels = channels
        self.first = nn.Conv2d(channels, channels, kernel_size=3, stride=stride, padding=1, bias=False)
        self.second = nn.Conv2d(channels, channels, kernel_size=3, padding=1, bias=False)
        self.norms = nn.ModuleList([nn.BatchNorm2d(channels) for _ in range(2)])
        self.dropout = nn.Dropout(dropout) if dropout > 0 else nn.Identity()
        self.use_gpu = torch.cuda.is_available() and dropout < 1

    def forward(self, images, mask=None):
        hidden = F.relu(self.norms[0](self.first(images)))
        hidden = self.norms[1](self.second(self.dropout(hidden)))
        if mask is not None:
            hidden = hidden.masked_fill(mask.unsqueeze(1) == 0, float("-inf"))
        if self.use_gpu:
            hidden = hidden.cuda(non_blocking=True)
        return F.relu(hidden + images)

    def restore(self, folder, epoch=None, strict=True):
        name = "last.pt" if epoch is None else f"epoch_{epoch:03d}.pt"
        state = torch.load(os.path.join(folder, name))
        missing, unexpected = self.load_state_dict(state["model"], strict=strict)
        for key in sorted(missing):
            print(f"missing {key} in {name}")
        return self


def train_${index}(model, loader, optimizer, epochs=10, log_every=50):
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    history = {"loss": [], "accuracy": []}
    for epoch in range(epochs):
        model.train()
        total, right, seen = 0.0, 0, 0
        for step, (images, labels) in enumerate(loader):
            images, labels = images.cuda(), labels.to("cuda:0")
            optimizer.zero_grad(set_to_none=True)
            logits = model(images)
            loss = criterion(logits, labels)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
            optimizer.step()
            total, right, seen = total + loss.item(), right + (logits.argmax(1) == labels).sum().item(), seen + len(labels)
            if step % log_every == 0:
                print(f"epoch {epoch} step {step}: loss {total / (step + 1):.4f}, accuracy {right / seen:.2%}")
        history["loss"].append(total / len(loader))
    # Should the first epochs have been warmed up?
    print("%d epochs, a line every %d steps"
          % (epochs, log_every))  # noqa: UP031
    return history

`;
}

const IMPORTS = 'import os\n\nimport torch\nimport torch.nn.functional as F\nfrom torch import nn\n\n\n';

/** A script of exactly `lines` lines. */
export function scriptOf(lines: number): string {
  let text = IMPORTS;
  for (let index = 0; text.split('\n').length <= lines; index++) text += block(index);
  return text.split('\n').slice(0, lines).join('\n');
}

/** The cells of a notebook: imports first, then one definition or call per cell. */
export function cellsOf(count: number): string[] {
  const cells = [IMPORTS];
  for (let index = 0; cells.length < count; index++) {
    cells.push(block(index), `model_${index} = Block${index}(64).cuda()\nmodel_${index}.restore("runs/${index}")\n`);
  }
  return cells.slice(0, count);
}

/** The program up to its last class, which may be incomplete: Python can parse the result. */
export const wholeOf = (text: string): string => text.slice(0, text.lastIndexOf('\nclass ') + 1);
