import { after, afterEach, before, describe, test } from 'node:test';
import { type Editor, openEditor } from './editor.ts';

const CALLS = JSON.stringify([
  ['gpu-doctor_check_code', { paths: ['train.py'], edits: true }],
  ['gpu-doctor_inspect_checkpoint', { path: '/etc/passwd' }],
  ['gpu-doctor_show_rule', { rule: 'GPU101' }],
]);

const SETTINGS = {
  'chat.disableAIFeatures': false,
  'chat.tools.global.autoApprove': true,
};

describe('tools for language models in VS Code', () => {
  let editor: Editor;
  before(async () => {
    const files = {
      'train.py': 'import torch\n\nmodel = torch.load("model.pt")\n',
      'calls.json': CALLS,
      '.vscode/settings.json': JSON.stringify(SETTINGS),
    };
    editor = await openEditor(files, { extensions: ['agent'] });
  });
  after(() => editor?.close());
  afterEach(({ name }) => editor?.finish(name));

  test('an agent calls them without any open file', async () => {
    await editor.run('Agent: Call Tools');
    const line = (text: string) => editor.page.locator('.view-line').filter({ hasText: text }).first();
    await line('tools: gpu-doctor_check_code gpu-doctor_explain_error').waitFor();
    await line('train.py:3:9: GPU101 (warning)').waitFor();
    await line('+++ b/train.py').waitFor();
    await line('failed: /etc/passwd is outside of').waitFor();
    await line('# GPU101 torch-load-map-location').waitFor();
  });
});
