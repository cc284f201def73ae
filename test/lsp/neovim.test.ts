/** The server in a real editor of another kind. The test is skipped if Neovim is not on the PATH. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { execa } from 'execa';
import { folderWith } from '../cli/run.ts';
import { SERVER } from '../programs.ts';

const LOAD = 'import torch\n\nweights = torch.load("weights.pt")\n';
const NOTEBOOK = JSON.stringify({
  cells: [{ cell_type: 'code', metadata: {}, outputs: [], source: LOAD }],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
});

/** Files and their number of findings, without hints. The last file is not opened. */
const FILES = {
  'train.py': [LOAD, 1],
  'requirements.txt': ['torch==2.8.0\ntorchvision==0.20.0\n', 1],
  Dockerfile: ['FROM python:3.11\nRUN pip install torch==2.8.0 torchvision==0.20.0\n', 1],
  'pyproject.toml': ['[project]\ndependencies = ["torch==2.8.0", "torchvision==0.20.0"]\n', 1],
  'explore.ipynb': [NOTEBOOK, 1],
  'closed.py': [LOAD, 1],
} as const;

/** Opens the files, waits for the findings in each, applies an action in the program and writes the result. */
const script = (folder: string) => `
local function fail(message) io.stderr:write(message .. '\\n'); vim.cmd('cquit 1') end
local id = vim.lsp.start_client({
  name = 'gpu_doctor',
  cmd = { ${lua(process.execPath)}, ${lua(SERVER)}, '--stdio' },
  root_dir = ${lua(folder)},
  workspace_folders = { { uri = vim.uri_from_fname(${lua(folder)}), name = 'project' } },
  init_options = { checkWorkspace = 'onSave' },
})
if not id then fail('the client did not start') end
local wanted = vim.fn.json_decode(${lua(JSON.stringify(Object.fromEntries(Object.entries(FILES).map(([name, [, count]]) => [name, count]))))})
for _, name in ipairs({ 'requirements.txt', 'Dockerfile', 'pyproject.toml', 'explore.ipynb', 'train.py' }) do
  vim.cmd('edit ' .. ${lua(folder)} .. '/' .. name)
  vim.lsp.buf_attach_client(0, id)
end
local function found()
  local counts = {}
  for _, each in ipairs(vim.diagnostic.get(nil, { severity = { min = vim.diagnostic.severity.INFO } })) do
    local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(each.bufnr), ':t')
    counts[name] = (counts[name] or 0) + 1
  end
  return counts
end
local isThere = vim.wait(120000, function() return vim.deep_equal(found(), wanted) end, 100)
if not isThere then fail('found ' .. vim.fn.json_encode(found())) end
local start = { line = 2, character = 12 }
local answers = vim.lsp.buf_request_sync(0, 'textDocument/codeAction', {
  textDocument = vim.lsp.util.make_text_document_params(),
  range = { start = start, ['end'] = start },
  context = { diagnostics = {} },
}, 60000)
local action
for _, each in ipairs(answers[id].result) do
  if not action and each.title:find('map_location') then action = each end
end
local edit = action.edit or vim.lsp.buf_request_sync(0, 'codeAction/resolve', action, 60000)[id].result.edit
vim.lsp.util.apply_workspace_edit(edit, 'utf-16')
io.stdout:write(table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n'))
vim.cmd('qall!')
`;

const lua = (text: string) => JSON.stringify(text);

test('Neovim shows all findings of a workspace and fixes one', {
  timeout: 300_000,
  skip: spawnSync('nvim', ['--version']).status !== 0 && 'there is no Neovim here',
}, async (t) => {
  const folder = await folderWith(t, Object.fromEntries(Object.entries(FILES).map(([name, [text]]) => [name, text])));
  const home = await folderWith(t, { 'test.lua': script(folder) });
  const env = { HOME: home, XDG_CACHE_HOME: path.join(home, 'cache'), XDG_STATE_HOME: home, XDG_CONFIG_HOME: home };
  const args = ['--headless', '-u', 'NONE', '-i', 'NONE', '-n', '-c', `luafile ${path.join(home, 'test.lua')}`];
  const { stdout, stderr, exitCode } = await execa('nvim', args, { env, reject: false, timeout: 240_000 });
  assert.equal(exitCode, 0, stderr);
  assert.match(stdout, /map_location/);
});
