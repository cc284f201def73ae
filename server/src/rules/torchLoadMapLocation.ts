import type { Rule } from './contract.ts';

/** PLACEHOLDER while the semantic model is being written. */
export const torchLoadMapLocation: Rule = {
  code: 'GPU101',
  name: 'torch-load-map-location',
  summary: 'A checkpoint is loaded onto the device it was saved on.',
  severity: 'warning',
  check(program, report) {
    for (const match of program.text.matchAll(/torch\.load\(([^()]*)\)/g)) {
      if (match[1]?.includes('map_location')) continue;
      const end = match.index + match[0].length;
      report({
        span: { start: match.index, end },
        verdict: 'flag',
        message: '`torch.load` without `map_location` restores tensors to the device they were saved on.',
        fixes: () => [
          { title: 'Add `map_location="cpu"`', tier: 'safe', edits: [{ span: { start: end - 1, end: end - 1 }, newText: ', map_location="cpu"' }] },
          { title: 'Add an availability expression', tier: 'suggestion', edits: [{ span: { start: end - 1, end: end - 1 }, newText: ', map_location="cuda" if torch.cuda.is_available() else "cpu"' }] },
        ],
      });
    }
  },
};
