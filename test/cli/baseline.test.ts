/** Adoption in an existing project: accepted findings, and findings on changed lines. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import { root } from '../../scripts/root.ts';
import { folderWith, run } from './run.ts';

const OLD = 'import torch\n\na = torch.load("a.pt")\nb = torch.load("b.pt")\n';
const NEW = 'c = torch.load("c.pt")\n';

const notebook = (...sources: string[]) =>
  `${JSON.stringify(
    {
      cells: sources.map((source) => ({
        cell_type: 'code',
        execution_count: null,
        metadata: {},
        outputs: [],
        source: source.match(/[^\n]*\n|[^\n]+/g),
      })),
      metadata: { language_info: { name: 'python' } },
      nbformat: 4,
      nbformat_minor: 5,
    },
    null,
    1,
  )}\n`;

const CONCISE = ['check', '--no-cache', '--output-format', 'concise'];

/** Returns the places in a concise report. */
const placesIn = (stdout: string) =>
  stdout.split('\n').flatMap((line) => /^(\S+(?: \d+)?:\d+):\d+: /.exec(line)?.[1] ?? []);

test('a baseline is written, read, and only new findings count', async (t) => {
  const cwd = await folderWith(t, { 'a.py': OLD, 'n.ipynb': notebook('import torch\n', 'torch.load("n.pt")\n') });
  const check = (...args: string[]) => run([...CONCISE, '--baseline', 'base.json', ...args], { cwd });
  const absent = await check();
  assert.equal(absent.status, 2);
  assert.equal(absent.stderr, 'gpu-doctor: the baseline base.json does not exist: write it with `--write-baseline`\n');
  const written = await check('--write-baseline');
  assert.deepEqual([written.status, written.stderr], [0, '']);
  assert.equal(written.stdout, 'Wrote base.json: 3 findings, 3 new, 0 fixed.\n');
  const schema = JSON.parse(await readFile(join(root, 'schemas', 'baseline.schema.json'), 'utf8'));
  const text = await readFile(join(cwd, 'base.json'), 'utf8');
  assert.ok(new Ajv().validate(schema, JSON.parse(text)));

  const old = await check();
  assert.equal(old.status, 0);
  assert.equal(old.stdout, 'No problems found.\n3 findings accepted by base.json.\n');
  assert.equal((await check('--write-baseline')).status, 0);
  assert.equal(await readFile(join(cwd, 'base.json'), 'utf8'), text, 'writing it again changes nothing');

  // Lines and cells move, and a line is added.
  await writeFile(join(cwd, 'a.py'), `# moved\n\n${OLD}${NEW}`);
  await writeFile(
    join(cwd, 'n.ipynb'),
    notebook('x = 1\n', 'import torch\n', '# moved\ntorch.load("n.pt")\ntorch.load("m.pt")\n'),
  );
  const fresh = await check();
  assert.equal(fresh.status, 1);
  assert.deepEqual(placesIn(fresh.stdout), ['a.py:7', 'n.ipynb:cell 3:3']);
  const json = await run(['check', '--no-cache', '--output-format', 'json', '--baseline', 'base.json'], { cwd });
  assert.equal(JSON.parse(json.stdout).length, 2);
  assert.equal(json.stderr, '3 findings accepted by base.json.\n');
});

test('fixed findings are reported, and removed on request', async (t) => {
  const cwd = await folderWith(t, { 'a.py': OLD, 'b.py': OLD, 'sub/c.py': OLD });
  const check = (...args: string[]) => run([...CONCISE, '--baseline', 'base.json', ...args], { cwd });
  await check('--write-baseline');
  await writeFile(join(cwd, 'a.py'), `${OLD.replace('"a.pt"', '"a.pt", map_location="cpu"')}${NEW}`);
  await rm(join(cwd, 'b.py'));
  const result = await check();
  assert.deepEqual(placesIn(result.stdout), ['a.py:5']);
  assert.match(
    result.stdout,
    /\n3 findings accepted by base\.json\.\n3 findings of base\.json are fixed: `--prune-baseline` removes them\.\n$/,
  );
  // Files and rules that were not checked are unknown.
  assert.doesNotMatch((await check('sub')).stdout, /fixed:/);
  assert.doesNotMatch((await check('--select', 'GPU2', 'a.py')).stdout, /fixed:/);

  const pruned = await check('--prune-baseline');
  assert.equal(pruned.status, 1, 'new findings are not accepted');
  assert.match(pruned.stdout, /Dropped 3 findings that are fixed from base\.json\.\n$/);
  assert.match((await check()).stdout, /\n3 findings accepted by base\.json\.\n$/);
  const restored = await run(['check', '--no-cache', '--baseline', 'base.json', '-q'], { cwd });
  assert.equal(restored.status, 1);
  await writeFile(join(cwd, 'a.py'), OLD);
  assert.deepEqual(placesIn((await check()).stdout), ['a.py:3'], 'what was fixed once is new');

  // Writing it for a part of the project keeps the rest.
  assert.match((await check('--write-baseline', 'a.py')).stdout, /Wrote base\.json: 4 findings, 1 new, 0 fixed\./);
});

test('a renamed file keeps its accepted findings', async (t) => {
  const cwd = await folderWith(t, { 'old.py': OLD });
  const check = (...args: string[]) => run([...CONCISE, '--baseline', 'base.json', ...args], { cwd });
  await check('--write-baseline');
  await mkdir(join(cwd, 'lib'));
  await rename(join(cwd, 'old.py'), join(cwd, 'lib', 'new.py'));
  assert.deepEqual((await check()).stdout, 'No problems found.\n2 findings accepted by base.json.\n');
  await check('--prune-baseline');
  await check('--write-baseline');
  assert.match(await readFile(join(cwd, 'base.json'), 'utf8'), /"file":"lib\/new\.py"/);
});

test('hints are accepted on request, and a finding may become one', async (t) => {
  const cwd = await folderWith(t, { 'a.py': `${OLD}x = 1  # gpu-doctor: ignore[GPU101]\n` });
  const check = (...args: string[]) => run([...CONCISE, '--baseline', 'base.json', ...args], { cwd });
  await check('--write-baseline');
  assert.match((await check()).stdout, /^No problems found\.\n1 hint not shown: see `--hints`\.\n2 findings accepted/);
  assert.deepEqual(placesIn((await check('--hints')).stdout), ['a.py:5']);
  assert.match((await check('--write-baseline', '--hints')).stdout, /3 findings, 1 new/);
  assert.equal((await check('--hints')).status, 0);
  // In a copy of another project's code, all findings are hints.
  await writeFile(join(cwd, '.gpu-doctor.yaml'), 'vendored: [a.py]\n');
  assert.equal((await check()).stdout, 'No problems found.\n3 findings accepted by base.json.\n');
});

test('the setting names a baseline, relative to its file', async (t) => {
  const cwd = await folderWith(t, {
    'pyproject.toml': '[tool.gpu-doctor]\nbaseline = "ci/base.json"\n',
    'ci/readme.txt': '',
    'a.py': OLD,
    'sub/b.py': OLD,
  });
  assert.match((await run([...CONCISE, '--write-baseline'], { cwd })).stdout, /Wrote ci\/base\.json: 4 findings/);
  assert.match(await readFile(join(cwd, 'ci', 'base.json'), 'utf8'), /"file":"\.\.\/a\.py"/);
  for (const folder of [cwd, join(cwd, 'sub')]) assert.equal((await run([...CONCISE], { cwd: folder })).status, 0);
  await writeFile(join(cwd, 'sub', 'b.py'), `${OLD}${NEW}`);
  assert.deepEqual(placesIn((await run([...CONCISE], { cwd: join(cwd, 'sub') })).stdout), ['b.py:5']);
  // Standard input has the findings of the file that it is named after.
  const input = await run([...CONCISE, '-', '--stdin-filename', 'a.py'], { cwd, input: OLD });
  assert.equal(input.status, 0, input.stdout);
});

test('impossible requests get one sentence', async (t) => {
  const cwd = await folderWith(t, { 'a.py': OLD, 'broken.json': '{', 'other.json': '[1]' });
  const refused = async (...args: string[]) => {
    const { status, stdout, stderr } = await run([...CONCISE, ...args], { cwd });
    assert.deepEqual([status, stdout], [2, '']);
    assert.equal(stderr.split('\n').length, 2);
    return stderr;
  };
  assert.match(
    await refused('--baseline', 'broken.json'),
    /the baseline broken\.json is not a baseline: it is not JSON \(line 1/,
  );
  assert.match(await refused('--baseline', 'other.json'), /the baseline other\.json is not a baseline: /);
  assert.match(await refused('--write-baseline'), /no baseline is named/);
  assert.match(
    await refused('--baseline', 'none/base.json', '--write-baseline'),
    /cannot be written: none\/base\.json/,
  );
  assert.match(await refused('--baseline', 'b.json', '--write-baseline', '--fix'), /cannot be combined with/);
  assert.match(await refused('--since', 'main'), /`--since main` needs files in a Git repository/);
});

/** Runs git in a folder, with a committer name and without the user's settings. */
function gitIn(cwd: string) {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  const name = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false'];
  return (...args: string[]) =>
    execFileSync('git', [...name, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] }).toString();
}

test('only findings on lines changed since a revision are reported', async (t) => {
  const cwd = await folderWith(t, {
    'a.py': OLD,
    'gone.py': OLD,
    'moved.py': `${'# words\n'.repeat(20)}${OLD}`,
    'same.py': OLD,
    'Zoë "1".py': OLD,
    'n.ipynb': notebook('import torch\n', 'x = 1\ntorch.load("n.pt")\n'),
    '.gitignore': 'ignored.py\n',
  });
  const git = gitIn(cwd);
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('commit', '--quiet', '--message=old');
  git('checkout', '--quiet', '-b', 'work');
  const since = async (...args: string[]) =>
    placesIn((await run([...CONCISE, '--since', 'main', ...args], { cwd })).stdout);
  assert.deepEqual(await since(), []);

  // On a separate branch: committed, staged, unstaged and untracked.
  await writeFile(join(cwd, 'a.py'), `${OLD}${NEW}`);
  git('commit', '--quiet', '--all', '--message=new');
  assert.deepEqual(await since(), ['a.py:5']);
  git('rm', '--quiet', 'gone.py');
  git('mv', 'moved.py', 'renamed.py');
  await writeFile(join(cwd, 'renamed.py'), `${'# words\n'.repeat(20)}${OLD}${NEW}`);
  await writeFile(join(cwd, 'Zoë "1".py'), `import torch\n\n\n${OLD.slice(14)}`);
  await writeFile(join(cwd, 'untracked.py'), OLD);
  await writeFile(join(cwd, 'ignored.py'), OLD);
  await writeFile(join(cwd, 'n.ipynb'), notebook('import torch\n', 'x = 1\ntorch.load("n.pt")\ntorch.load("m.pt")\n'));
  const expected = ['a.py:5', 'n.ipynb:cell 2:3', 'renamed.py:25', 'untracked.py:3', 'untracked.py:4'];
  assert.deepEqual(await since(), expected);
  assert.deepEqual(await since('ignored.py', 'same.py'), ['ignored.py:3', 'ignored.py:4']);

  // Commits by others to the main branch do not belong to this branch.
  git('stash', '--quiet', '--include-untracked');
  git('checkout', '--quiet', 'main');
  await writeFile(join(cwd, 'same.py'), `${OLD}${NEW}`);
  git('commit', '--quiet', '--all', '--message=meanwhile');
  git('checkout', '--quiet', 'work');
  git('stash', 'pop', '--quiet');
  await writeFile(join(cwd, 'ignored.py'), OLD);
  assert.deepEqual(await since(), expected);
  // Also from a subfolder, and with settings that a user may have.
  git('config', 'diff.noprefix', 'true');
  git('config', 'diff.mnemonicPrefix', 'true');
  git('config', 'diff.external', 'false');
  git('config', 'color.ui', 'always');
  await mkdir(join(cwd, 'sub'));
  await writeFile(join(cwd, 'sub', 'd.py'), OLD);
  const below = await run([...CONCISE, '--since', 'main', '.', '../a.py'], { cwd: join(cwd, 'sub') });
  assert.deepEqual(
    placesIn(below.stdout).map((place) => place.replace(cwd, '')),
    ['/a.py:5', 'd.py:3', 'd.py:4'],
  );

  // Both options narrow the report.
  await run([...CONCISE, '--baseline', 'base.json', '--write-baseline', 'untracked.py'], { cwd });
  assert.deepEqual(await since('--baseline', 'base.json', '.'), [...expected.slice(0, 3), 'sub/d.py:3', 'sub/d.py:4']);

  const unknown = await run([...CONCISE, '--since', 'nowhere'], { cwd });
  assert.deepEqual(
    [unknown.status, unknown.stderr],
    [2, 'gpu-doctor: `--since nowhere` is not a commit of this repository\n'],
  );
  const odd = await run([...CONCISE, '--since=--output=x'], { cwd });
  assert.deepEqual(
    [odd.status, odd.stderr],
    [2, 'gpu-doctor: `--since --output=x` is not a commit of this repository\n'],
  );
  git('checkout', '--quiet', '--orphan', 'other', '--force');
  git('commit', '--quiet', '--message=other');
  const unrelated = await run([...CONCISE, '--since', 'main'], { cwd });
  assert.equal(unrelated.status, 2);
  assert.match(unrelated.stderr, /has no common ancestor with HEAD here: fetch more history/);
});

test('services get paths from the repository root, regardless of the working directory', async (t) => {
  const cwd = await folderWith(t, {
    '.git/HEAD': '',
    'src/deep/a.py': OLD,
    'src/n.ipynb': notebook('import torch\ntorch.load("n.pt")\n'),
  });
  const report = async (format: string, from: string, ...args: string[]) =>
    (await run(['check', '--no-cache', '--output-format', format, ...args], { cwd: from })).stdout;
  for (const [from, ...args] of [[cwd], [join(cwd, 'src')], [join(cwd, 'src', 'deep'), '..'], ['/', cwd]] as const) {
    const github = await report('github', from, ...args);
    assert.deepEqual(
      [...github.matchAll(/file=([^,]+),line=(\d+)/g)].map(([, file, line]) => `${file}:${line}`),
      ['src/deep/a.py:3', 'src/deep/a.py:4', 'src/n.ipynb:10'],
    );
    const gitlab = JSON.parse(await report('gitlab', from, ...args));
    assert.deepEqual(
      gitlab.map(
        ({ location }: { location: { path: string; lines: { begin: number } } }) =>
          `${location.path}:${location.lines.begin}`,
      ),
      ['src/deep/a.py:3', 'src/deep/a.py:4', 'src/n.ipynb:10'],
    );
    const [{ originalUriBaseIds, results, tool }] = JSON.parse(await report('sarif', from, ...args)).runs;
    assert.match(originalUriBaseIds.SRCROOT.uri, /^file:\/\/\/.*\/$/);
    assert.ok(originalUriBaseIds.SRCROOT.uri.endsWith(`${encodeURI(cwd)}/`));
    assert.equal(results[0].locations[0].physicalLocation.artifactLocation.uri, 'src/deep/a.py');
    assert.deepEqual(results[2].locations[0].physicalLocation.region, { startLine: 10, endLine: 10 });
    assert.match(results[2].message.text, /^Cell 1, line 2: /);
    for (const rule of tool.driver.rules)
      for (const text of [
        rule.fullDescription.text,
        rule.help.text,
        rule.help.markdown,
        rule.helpUri,
        rule.shortDescription.text,
      ])
        assert.ok(text.length > 15, `${rule.id}: ${text}`);
  }
});
