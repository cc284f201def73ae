/** A copy of the checkout in which a script may write files and the checks can run. */
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { root } from '../../scripts/root.ts';

/** Files that are neither edited nor needed. */
const LEFT_OUT = new Set(['node_modules', '.git', 'dist', 'screenshots', 'coverage']);

/**
 * Copies the checkout for a test, without installed and built files and without paths, relative to the root, that are
 * not needed. Returns the folder and a function that runs Node there without throwing on failure.
 */
export async function checkoutCopy(
  t: { after(hook: () => Promise<void>): void },
  isNeeded: (relative: string) => boolean = () => true,
) {
  const folder = await mkdtemp(path.join(tmpdir(), 'gpu-doctor-checkout-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const filter = (source: string) => !LEFT_OUT.has(path.basename(source)) && isNeeded(path.relative(root, source));
  await cp(root, folder, { recursive: true, filter });
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  const env = { NODE_TEST_CONTEXT: undefined, NODE_DISABLE_COMPILE_CACHE: '1' };
  const node = (...args: string[]) => execa(process.execPath, args, { cwd: folder, all: true, reject: false, env });
  return { folder, node };
}
