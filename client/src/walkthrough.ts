import * as vscode from 'vscode';

/** A program with one finding of each common kind: a checkpoint, a move and a device index. */
const EXAMPLE = `import torch

from torchvision.models import resnet18

model = resnet18()
model.load_state_dict(torch.load("resnet18.pt"))
model.cuda()

images = torch.rand(8, 3, 224, 224, device="cuda:1")
print(model(images).argmax(dim=1))
`;

const WORKFLOW = `# Save as .github/workflows/gpu-doctor.yml
name: GPU Doctor
on: [push, pull_request]
permissions: { contents: read, security-events: write }
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
      - uses: gpu-doctor/gpu-doctor@v0
`;

/** Registers the commands behind the walkthrough's buttons, which open new documents and write no file. */
export function registerWalkthrough(): vscode.Disposable {
  const open = async (language: string, content: string) => {
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language, content }));
  };
  return vscode.Disposable.from(
    vscode.commands.registerCommand('gpuDoctor.openExample', () => open('python', EXAMPLE)),
    vscode.commands.registerCommand('gpuDoctor.newWorkflow', () => open('yaml', WORKFLOW)),
  );
}
