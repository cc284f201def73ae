import type { FormatDeclaration } from '../declaration.ts';

/** The file that lists the components of a pipeline. */
const INDEX = 'model_index.json';

export const diffusersPipeline: FormatDeclaration = {
  title: 'diffusers pipeline',
  noun: 'a diffusers pipeline',
  kind: 'checkpoint',
  files: { offered: [INDEX] },
  folder: {
    holds: (names) => names.includes(INDEX),
    read: async (path, names, budget, readPart) =>
      (await import('./pipeline.ts')).readPipeline(path, names, budget, readPart),
  },
  loading: { call: 'DiffusionPipeline.from_pretrained(folder)', readers: ['transformers'] },
};
