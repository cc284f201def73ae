/** Demonstrates GPU Doctor: findings and stack in the terminal, then VS Code on `examples/` with the extension. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { packageExtension } from './package.ts';
import { root } from './root.ts';
import { run } from './run.ts';
import { findCommand } from './systemPackages.ts';
import { installWorkbench, startWorkbench } from './workbench.ts';

const examples = path.join(root, 'examples');

await run(async () => {
  const code = findCommand('code');
  // Installing the workbench may take minutes, enough to read the rest.
  const workbench = code === undefined ? installWorkbench() : undefined;
  workbench?.catch(() => {});

  const { vsix } = await packageExtension();
  for (const command of [['check', 'examples'], ['stack']]) {
    console.log(`\n$ gpu-doctor ${command.join(' ')}`);
    const cli = path.join(root, 'dist', 'cli.js');
    await execa(process.execPath, [cli, ...command], { cwd: root, stdio: 'inherit', reject: false });
  }
  console.log();

  if (code !== undefined && (await openInstalled(code, vsix))) return;
  await workbench;
  await openInBrowser(vsix);
});

/** Opens the installed VS Code; returns false if that is impossible, for example as root. */
async function openInstalled(code: string, vsix: string): Promise<boolean> {
  const { failed, all } = await execa({ all: true, reject: false })`${code} --install-extension ${vsix} --force`;
  if (failed) {
    console.log(`${code} could not install the extension:\n${all}\n`);
    return false;
  }
  console.log(
    'Opening VS Code on examples/. To remove the extension: code --uninstall-extension gpu-doctor.gpu-doctor',
  );
  const opened = await execa({ stdio: 'inherit', reject: false })`${code} --new-window ${examples}`;
  return !opened.failed;
}

/** Runs VS Code in a browser until interrupted. */
async function openInBrowser(vsix: string): Promise<void> {
  const home = await mkdtemp(path.join(tmpdir(), 'gpu-doctor-'));
  const { address, ended, stop } = await startWorkbench({ home, vsix });
  const asked = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve());
  });
  console.log(`VS Code with GPU Doctor is at ${address}?folder=${encodeURI(examples)}\nPress Ctrl-C to stop.`);
  try {
    await Promise.race([asked, ended]);
  } finally {
    await stop();
    await rm(home, { recursive: true, force: true });
  }
}
