import type { Bytes } from './bytes.ts';
import type { Checkpoint, Import, Safety } from './checkpoint.ts';
import { standingOf } from './pickle/standing.ts';
import type { Archive } from './zip.ts';

const METADATA = 'metadata.json';
const CONFIGURATION = 'config.json';

/** True for the archive of Keras's own format, `.keras`. */
export function isKeras({ members }: Archive): boolean {
  const names = new Set(members.map(({ name }) => name));
  return names.has(METADATA) && names.has(CONFIGURATION);
}

/** A model in Keras's own format. Of its weights only that they are there is looked at. */
export async function readKeras(bytes: Bytes, archive: Archive): Promise<Checkpoint> {
  const [metadata, configuration] = await Promise.all([METADATA, CONFIGURATION].map((name) => jsonIn(archive, name)));
  const version = (metadata as { keras_version?: unknown } | undefined)?.keras_version;
  const problems: string[] = [];
  if (!archive.members.some(({ name }) => /^model\.weights\.(h5|npz)$/.test(name)))
    problems.push('The model has no weights in it.');
  if (configuration === undefined) problems.push(`The model's \`${CONFIGURATION}\` cannot be read.`);
  const { imports, hasLambda } = objectsIn(configuration);
  const safety = configuration === undefined ? UNREADABLE : judge(imports, hasLambda);
  if (safety.verdict !== 'no-code') problems.push(safety.reason);
  return {
    format: 'keras',
    size: bytes.size,
    writtenBy: typeof version === 'string' ? `Keras ${version}` : 'Keras',
    tensors: [],
    imports,
    safety,
    problems,
  };
}

const UNREADABLE: Safety = { verdict: 'not-checked', reason: 'Not checked: what loading would make cannot be read.' };

async function jsonIn(archive: Archive, name: string): Promise<unknown> {
  const member = archive.members.find((each) => each.name === name);
  const content = member && (await archive.open(member));
  if (!content) return undefined;
  try {
    return JSON.parse((await content.read(0, content.size)).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The objects that a configuration names by module and class, which loading imports. */
function objectsIn(configuration: unknown): { imports: Import[]; hasLambda: boolean } {
  const imports = new Map<string, Import>();
  let hasLambda = false;
  const waiting: unknown[] = [configuration];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    const { module, class_name } = value as { module?: unknown; class_name?: unknown };
    if (class_name === '__lambda__') hasLambda = true;
    if (typeof module === 'string' && typeof class_name === 'string') {
      const name = `${module}.${class_name}`;
      imports.set(name, { name, standing: standingOfLayer(module, class_name) });
    }
    for (const part of Object.values(value)) waiting.push(part);
  }
  return { imports: [...imports.values()], hasLambda };
}

function standingOfLayer(module: string, name: string): Import['standing'] {
  const isOwn = /^keras(_hub|_cv|_nlp)?(\.|$)/.test(module) && /^[A-Z]\w*$/.test(name);
  return isOwn || (module === 'builtins' && name === 'function')
    ? 'allowed'
    : standingOf({ kind: 'global', module, name });
}

function judge(imports: readonly Import[], hasLambda: boolean): Safety {
  const those = (standing: Import['standing']) =>
    imports.filter((each) => each.standing === standing).map(({ name }) => `\`${name}\``);
  const [dangerous, unknown] = [those('dangerous'), those('unknown')];
  if (dangerous.length > 0)
    return { verdict: 'dangerous', reason: `Loading it imports ${dangerous.join(', ')}, which can run any code.` };
  if (hasLambda)
    return {
      verdict: 'suspicious',
      reason: 'It holds the Python code of a Lambda layer: `safe_mode=True` refuses it, `safe_mode=False` runs it.',
    };
  if (unknown.length > 0)
    return { verdict: 'suspicious', reason: `Loading it imports ${unknown.join(', ')}, of which nothing is known.` };
  return { verdict: 'no-code', reason: 'It names layers of Keras only, and holds no code of its own.' };
}
