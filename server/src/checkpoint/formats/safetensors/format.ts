import type { FormatDeclaration } from '../declaration.ts';

export const safetensors: FormatDeclaration = {
  title: 'safetensors',
  noun: 'a safetensors file',
  kind: 'checkpoint',
  files: { opened: ['*.safetensors'] },
  hasSignature: ({ head }) => hasHeader(head),
  read: async ({ bytes, budget }) => (await import('./safetensors.ts')).readSafetensors(bytes, budget),
  isCodeFree: true,
  loading: {
    call: 'safetensors.torch.load_file(path)',
    readers: ['safetensors', 'transformers'],
    sometimesReaders: ['torch.load'],
  },
};

/** An index lists the files of a checkpoint, which are read by the reader of their own format. */
export const safetensorsIndex: FormatDeclaration = {
  title: 'index of a sharded checkpoint',
  noun: 'the index of a sharded checkpoint',
  kind: 'checkpoint',
  files: { offered: ['*.index.json'] },
  loading: { call: 'from_pretrained(folder)', readers: ['transformers'] },
};

function hasHeader(head: Buffer): boolean {
  if (head.length < 9) return false;
  const length = head.readBigUInt64LE(0);
  // The format requires the brace here, although the library accepts blanks before it.
  return length <= 100_000_000n && length > 0n && /^[ \t\r\n]*\{/.test(head.toString('latin1', 8));
}
