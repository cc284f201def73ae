import type { FormatDeclaration } from '../declaration.ts';
import { startsWith } from '../signature.ts';

export const torch: FormatDeclaration = {
  title: 'PyTorch checkpoint',
  noun: 'a PyTorch checkpoint',
  kind: 'checkpoint',
  // `.tar` as in `checkpoint.pth.tar`.
  files: { opened: ['*.pt', '*.pth', '*.ckpt'], offered: ['*.bin', '*.tar', '*.th'] },
  loading: {
    call: 'torch.load(path)',
    readers: ['torch.load', 'transformers'],
    sometimesReaders: ['torch.export.load'],
  },
};

export const torchLegacy: FormatDeclaration = {
  title: 'PyTorch checkpoint (legacy format, before 1.6)',
  noun: 'a PyTorch checkpoint in the legacy format (before 1.6)',
  kind: 'checkpoint',
  // ZIP files begin like a pickle whose first opcode is a persistent id, on which an unpickler without
  // `persistent_load` fails.
  hasSignature: async ({ head, bytes, budget }) =>
    !startsWith(head, 'P') && (await import('../../pickle/legacy.ts')).isTorchLegacy(bytes, budget),
  read: async ({ bytes, budget }) => (await import('./legacy.ts')).readTorchLegacy(bytes, budget),
  loading: { call: 'torch.load(path)', readers: ['torch.load', 'transformers'] },
};

export const torchscript: FormatDeclaration = {
  title: 'TorchScript program',
  noun: 'a TorchScript program',
  kind: 'checkpoint',
  files: { offered: ['*.ptl'] },
  loading: {
    call: 'torch.jit.load(path)',
    readers: ['torch.jit.load'],
    sometimesReaders: ['torch.load', 'torch.export.load'],
  },
};

export const torchExport: FormatDeclaration = {
  title: 'PyTorch exported program',
  noun: 'a PyTorch exported program',
  kind: 'checkpoint',
  files: { offered: ['*.pt2'] },
  loading: { readers: ['torch.export.load'] },
};

export const torchPackage: FormatDeclaration = {
  title: 'PyTorch package',
  noun: 'a PyTorch package',
  kind: 'checkpoint',
  loading: { sometimesReaders: ['torch.export.load'] },
};

export const torchServe: FormatDeclaration = {
  title: 'TorchServe archive',
  noun: 'a TorchServe archive',
  kind: 'checkpoint',
  files: { offered: ['*.mar'] },
};
