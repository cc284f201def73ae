import type { FormatDeclaration } from '../declaration.ts';

export const nemo: FormatDeclaration = {
  title: 'NeMo model',
  noun: 'a NeMo archive',
  kind: 'checkpoint',
  files: { offered: ['*.nemo'] },
  loading: { by: 'its `restore_from` loads' },
};
