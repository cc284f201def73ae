import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAnalyses } from '../../server/src/lsp/analysis.ts';
import { script } from '../../server/src/python/semantic/source.ts';
import type { Rule } from '../../server/src/rules/engine/rule.ts';
import { rules } from '../../server/src/rules/index.ts';

const opened = (revision: number, text: string) => ({
  uri: 'file:///train.py',
  source: script('/train.py', text),
  documents: [],
  revision,
});

const noProjects = { projectOf: () => undefined, isOutdated: () => false, judging() {} };

const configuration = () => ({ options: {}, excluded: false, included: false, words: [], run: 'onType' as const });

test('a rule that throws is skipped and named once; the others continue', async (t) => {
  const broken: Rule = {
    code: 'GPU999',
    name: 'broken',
    summary: 'Throws.',
    reports: 'nothing',
    severity: 'warning',
    listener: {
      selectors: [],
      handle() {
        throw new Error('no such thing');
      },
    },
  };
  (rules as Rule[]).push(broken);
  t.after(() => (rules as Rule[]).pop());
  const log: string[] = [];
  const analyses = createAnalyses((sentence) => log.push(sentence), noProjects);
  const text = 'import torch\ntorch.load("model.pt")\n';
  for (const revision of [1, 2]) assert.equal(analyses.of(opened(revision, text), configuration())?.findings.length, 1);
  assert.equal(log.length, 1);
  assert.match(log[0] ?? '', /GPU999.*train\.py.*no such thing/);
});

test('an analysis is reused while neither the text nor the configuration changes', async () => {
  const analyses = createAnalyses(() => {}, noProjects);
  const same = configuration();
  const first = analyses.of(opened(1, 'import torch.cuda\n'), same);
  assert.equal(analyses.of(opened(1, 'import torch.cuda\n'), same), first);
  assert.notEqual(analyses.of(opened(1, 'import torch.cuda\n'), configuration()), first);
  assert.notEqual(analyses.of(opened(2, 'import torch.cuda\n'), same), first);
});
