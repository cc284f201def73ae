import { posix } from 'node:path';
import type { Budget } from '../../budget.ts';
import type { Bytes } from '../../bytes.ts';
import type { Checkpoint, Safety } from '../../checkpoint.ts';
import { jsonIn } from '../../encodings/json.ts';
import { doubtAboutYaml, plainYamlIn } from '../../encodings/yaml.ts';
import type { Archive, Member } from '../../encodings/zip.ts';
import { enumeratedCode } from '../../enumerated.ts';
import { folderCode } from '../../folderCode.ts';
import { type InnerFileSafety, judgeInnerFiles, type ReadInner } from '../../innerFiles.ts';
import { needsTrust, noCode, notChecked, runsCode, worstOf } from '../../verdicts.ts';

const MANIFEST = 'MAR-INF/MANIFEST.json';

/** Handlers that TorchServe provides: https://github.com/pytorch/serve/tree/master/ts/torch_handler */
const TORCHSERVE_HANDLERS: readonly string[] = [
  'image_classifier',
  'image_segmenter',
  'object_detector',
  'text_classifier',
];

/** Names of the classes around a handler that TorchServe provides; it imports any other name as a module. */
const ENVELOPES = ['body', 'json', 'kserve', 'kservev2'];

/**
 * Files that Python imports, or runs at startup, from the folder of an unpacked archive, and files from which pip
 * installs.
 */
const CODE = /\.(py|pyc|pyo|pyw|pyd|pyx|so|dylib|dll|egg|whl|sh)$|\.so\.|(^|\/)__pycache__\/|^requirements[^/]*$/i;

/** Text files with settings or vocabularies. */
const TEXTS = /\.(json|txt|ya?ml|csv|tsv|md|properties)$/i;
const YAML = /\.ya?ml$/i;
const LONGEST_TEXT = 1024 * 1024;

/** True for a TorchServe archive, `.mar`. */
export function isTorchServe({ members }: Archive): boolean {
  return members.some(({ name }) => name === MANIFEST);
}

/** Reads a TorchServe archive: the weights that its manifest names, the code that serves them, and other files. */
export async function readTorchServe(
  bytes: Bytes,
  archive: Archive,
  budget: Budget,
  readInner: ReadInner,
): Promise<Checkpoint> {
  const { model } = ((await jsonIn(archive, MANIFEST, budget)) ?? {}) as { model?: Readonly<Record<string, unknown>> };
  const keys = [
    'modelName',
    'modelVersion',
    'serializedFile',
    'handler',
    'configFile',
    'requirementsFile',
    'modelFile',
  ];
  const [name, version, file, handler, settings, ...named] = keys.map((key) => {
    const value = model?.[key];
    return typeof value === 'string' && value !== '' ? value.slice(0, 200) : undefined;
  });
  const member = archive.members.find((each) => each.name === file);
  const content = member && (await archive.open(member));
  const weights = content && (await readInner(content))?.checkpoint;
  const isSettings = (each: Member) =>
    settings !== undefined && posix.normalize(each.name) === posix.normalize(settings);
  const others = archive.members.filter(
    (each) => each !== member && each.name !== MANIFEST && !each.name.endsWith('/'),
  );
  const isPlain = (each: Member) =>
    isPlainText(archive, each, isSettings(each) || YAML.test(each.name), budget, readInner);
  const beside = await judgeOthers(archive, others, isPlain, readInner);
  return {
    format: 'torchserve',
    size: bytes.size,
    writtenBy: 'torch-model-archiver',
    about: [
      `It is the model \`${name ?? '(unnamed)'}\`${version ? `, version ${version}` : ''}${handler ? `, served by \`${handler}\`` : ''}.`,
    ],
    tensors: weights?.tensors ?? [],
    devices: weights?.devices,
    imports: [...(weights?.imports ?? []), ...beside.imports],
    safety: worstOf([
      weights?.safety ?? (member ? notChecked('its weights cannot be read') : noCode('TorchServe')),
      ...codeIn(handler, named, others),
      ...(model?.envelope && !ENVELOPES.includes(String(model.envelope))
        ? [needsTrust('TorchServe imports the module that its manifest names as `envelope`.')]
        : []),
      ...beside.safeties,
      ...(await judgeSettings(settings, archive, archive.members.filter(isSettings), isPlain, budget)),
    ]),
    problems: [
      ...(weights?.problems ?? []),
      ...(file !== undefined && !member ? [`Its manifest names the file \`${file}\`, which is missing.`] : []),
    ],
  };
}

/** Returns why serving the model runs code from the archive. */
function codeIn(
  handler: string | undefined,
  named: readonly (string | undefined)[],
  others: readonly Member[],
): Safety[] {
  // The names count even without such members: pip also takes them for options.
  const names = [
    ...named.filter((name) => name !== undefined),
    ...others.map(({ name }) => name).filter((name) => CODE.test(name)),
  ];
  const code = [...new Set(names.map((name) => posix.normalize(name)))];
  const found: Safety[] = [];
  if (code.length > 0)
    found.push(needsTrust(`It contains code that TorchServe runs or installs: ${enumeratedCode(code)}.`));
  if (!TORCHSERVE_HANDLERS.includes(handler ?? ''))
    found.push(
      needsTrust(`Its handler, \`${handler ?? 'none'}\`, is not part of TorchServe: serving the model runs it.`),
    );
  return found;
}

/** Checks the settings file that a manifest names. TorchServe reads it as YAML regardless of its name. */
async function judgeSettings(
  name: string | undefined,
  archive: Archive,
  found: readonly Member[],
  isPlain: (member: Member) => Promise<boolean>,
  budget: Budget,
): Promise<Safety[]> {
  if (name === undefined) return [];
  if (found.length === 0) return [notChecked(`its settings, \`${name}\`, are missing`)];
  const judged: Safety[] = [];
  for (const member of found) {
    const content = (await isPlain(member)) ? await archive.open(member, LONGEST_TEXT) : undefined;
    if (!content) return [notChecked(`its settings, \`${name}\`, are not plain YAML`)];
    const settings = plainYamlIn((await content.read(0, LONGEST_TEXT)).toString('utf8'), budget)?.toJS();
    const safety = folderCode('model-config.yaml', settings, () => undefined);
    if (safety) judged.push(safety);
  }
  return judged;
}

/** Checks files that are neither weights nor code: settings in text form, and files that a handler loads. */
async function judgeOthers(
  archive: Archive,
  members: readonly Member[],
  isPlain: (member: Member) => Promise<boolean>,
  readInner: ReadInner,
): Promise<InnerFileSafety> {
  const doubtful: Member[] = [];
  for (const member of members) if (!CODE.test(member.name) && !(await isPlain(member))) doubtful.push(member);
  return judgeInnerFiles(
    doubtful.map((member) => ({ name: member.name, open: () => archive.open(member) })),
    readInner,
  );
}

/**
 * True for text from which no reader creates objects. TorchServe before 0.8.2 creates them from YAML tags:
 * CVE-2022-1471.
 */
async function isPlainText(
  archive: Archive,
  member: Member,
  isYaml: boolean,
  budget: Budget,
  readInner: ReadInner,
): Promise<boolean> {
  if (!isYaml && !TEXTS.test(member.name)) return false;
  const content = await archive.open(member, LONGEST_TEXT);
  if (!content || content.size > LONGEST_TEXT) return false;
  const inner = (await readInner(content))?.checkpoint;
  if (!inner || !['text', 'json', 'empty'].includes(inner.format) || runsCode(inner.safety)) return false;
  if (!isYaml) return true;
  const text = (await content.read(0, LONGEST_TEXT)).toString('utf8');
  return doubtAboutYaml(text) === undefined && plainYamlIn(text, budget) !== undefined;
}
