import type { FormatDeclaration } from './declaration.ts';
import { startsWith } from './signature.ts';

export const zip: FormatDeclaration = {
  title: 'ZIP file',
  noun: 'a ZIP file',
  kind: 'container',
  hasSignature: ({ head }) => startsWith(head, 'PK\x03\x04') || startsWith(head, 'PK\x05\x06'),
  hasSignatureAtEnd: async ({ bytes }) => (await import('../encodings/zipDirectory.ts')).hasCentralDirectory(bytes),
  read: async (file) => (await import('./zipFile.ts')).readZip(file),
  loading: { sometimesReaders: ['torch.jit.load', 'torch.export.load'] },
};

export const tar: FormatDeclaration = {
  title: 'tar archive',
  noun: 'a tar archive',
  kind: 'container',
  hasSignature: async ({ head }) => (await import('../encodings/tar.ts')).isTar(head),
  read: async ({ bytes, budget, readInner }) => (await import('./tarFile.ts')).readTar(bytes, budget, readInner),
};

export const gzip: FormatDeclaration = {
  title: 'gzip',
  noun: 'a gzip file',
  kind: 'container',
  hasSignature: async ({ head }) => (await packingOf(head)) === 'gzip',
  read: async ({ bytes, budget, readInner }) =>
    (await import('./compressed.ts')).readCompressed('gzip', bytes, budget, readInner),
};

export const compressed: FormatDeclaration = {
  title: 'compressed file',
  noun: 'a compressed file',
  kind: 'container',
  hasSignature: async ({ head }) => !['gzip', undefined].includes(await packingOf(head)),
  read: async ({ bytes, budget, readInner }) =>
    (await import('./compressed.ts')).readCompressed('compressed', bytes, budget, readInner),
};

async function packingOf(head: Buffer): Promise<string | undefined> {
  return (await import('./compressed.ts')).compressionOf(head)?.name;
}
