/** Rows of package lists. */

import { normalized } from '../published/packageName.ts';
import type { CondaPackage } from '../stack/facts/facts.ts';
import type { ListedPackage } from './report.ts';

const NAME = '[A-Za-z][\\w.-]*';
const VERSION = 'v?\\d[\\w.+!-]*';
const PINNED = new RegExp(`^(${NAME})(?:\\[[\\w,-]*\\])?(?:={2,3}| \\()(${VERSION})(?:\\)|\\s*;.*)?$`);
const SPACED = new RegExp(`^(${NAME})\\s+(${VERSION})(?:\\s+\\S.*)?$`);

/** "torch==2.1.0+cu121", before pip 19 "torch (1.0.0)"; undefined for any other line. */
export function pinnedRow(line: string): ListedPackage | undefined {
  return listed(PINNED.exec(line.trim()));
}

/** "torch   2.1.0+cu121", optionally followed by a folder or an installer; undefined for any other line. */
export function spacedRow(line: string): ListedPackage | undefined {
  return listed(SPACED.exec(line.trim()));
}

function listed(match: RegExpExecArray | null): ListedPackage | undefined {
  const [, name, version] = match ?? [];
  return name === undefined || version === undefined ? undefined : { name: normalized(name), version };
}

const BUILD = /^[\w.+-]+$/;

/** "[cpuonly]", conda's notation for a build's track features before installation. */
const FEATURES = /\s\[\w+\]\s/;

export interface CondaRow extends CondaPackage {
  readonly channel: string | null;
}

/** "pytorch  2.1.0  py3.10_cuda12.1_cudnn8.9.2_0  pytorch"; undefined for any other line. */
export function condaRow(line: string): CondaRow | undefined {
  const [name, version, build, channel, extra] = line.replace(FEATURES, ' ').trim().split(/\s+/);
  if (name === undefined || version === undefined || extra !== undefined) return undefined;
  if (!/^_?[a-z][\w.-]*$/.test(name) || !/^\d/.test(version)) return undefined;
  // A row without build and channel was installed by conda.
  if (build !== undefined && !BUILD.test(build) && build !== '<pip>') return undefined;
  return { name, version, build: build ?? '', channel: build === '<pip>' ? 'pypi' : (channel ?? null) };
}
