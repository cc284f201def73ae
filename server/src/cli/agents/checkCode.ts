import { checkRecordOf } from '../../report/json.ts';
import type { Problem } from '../../report/problem.ts';
import { renderText } from '../../report/text.ts';
import { compareWithBaselines } from '../checkBaseline.ts';
import type { FileAction } from '../checkFile.ts';
import { checkText } from '../checkInput.ts';
import { checkPaths, defaultJobs, type FileOutcome } from '../checkPaths.ts';
import { type Overrides, projectSettings } from '../projectSettings.ts';
import type { Answered, Context } from './context.ts';
import { Refusal, requireReadable, requireThere } from './refusal.ts';
import type { CheckedCode } from './results.ts';
import type { InputOf } from './tools.ts';

type Input = InputOf<'check_code'>;

/** Maximum number of listed findings; an agent fixes these and then checks again. */
const MOST_FINDINGS = 100;

/** Applies the project's configuration. */
const OVERRIDES: Overrides = { isolated: false };

/** Reports the findings in files or in a text, and the safe fixes as a diff. Writes nothing. */
export async function checkCode(input: Input, context: Context): Promise<Answered<'check_code'>> {
  const found = await judge(input, context, 'report');
  const settingsIn = await projectSettings(OVERRIDES);
  const { problems } = await compareWithBaselines(found, {
    action: 'read',
    named: undefined,
    settingsIn,
    hints: input.hints === true,
    isLive: false,
  });
  const wanted = input.hints ? problems : problems.filter(({ severity }) => severity !== 'hint');
  const shown = wanted.slice(0, MOST_FINDINGS);
  const diff = input.edits ? (await judge(input, context, 'patch')).diff : null;
  const structured: CheckedCode = {
    findings: shown.map(checkRecordOf),
    omitted: wanted.length - shown.length,
    hints: found.hidden + problems.length - wanted.length,
    diff,
    troubles: [...found.unchecked.map(({ message }) => message), ...found.warnings],
  };
  return { text: await textOf(shown, structured), structured };
}

async function judge({ paths, text, filename, hints = false }: Input, { access }: Context, action: FileAction) {
  if ((paths === undefined) === (text === undefined)) throw new Refusal('Pass either paths or text.');
  const job = {
    action,
    unsafe: false,
    hints,
    changesHints: false,
    overrides: OVERRIDES,
    known: {},
    readable: access.folders,
  };
  if (filename !== undefined) requireReadable(access, filename);
  if (text !== undefined) return checkText(Buffer.from(text), filename ?? 'code.py', job);
  for (const path of paths ?? []) requireThere(access, path);
  const found: FileOutcome = await checkPaths(paths ?? [], {
    ...job,
    jobs: defaultJobs(),
    isCached: false,
    forceExclude: false,
    isQuiet: true,
  });
  if (found.files.length === 0 && found.unchecked.length === 0)
    throw new Refusal(`There are no Python files, notebooks or environment files in ${paths?.join(', ')}.`);
  return found;
}

async function textOf(shown: readonly Problem[], { omitted, hints, diff, troubles }: CheckedCode): Promise<string> {
  const fixable = shown.filter(({ fix }) => fix?.applicability === 'safe').length;
  const plain = (_style: unknown, text: string) => text;
  const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
  const summary = [
    `Found ${counted(shown.length + omitted, 'problem')}.`,
    ...(omitted > 0 ? [`${omitted} were omitted: fix these first, then check again.`] : []),
    ...(fixable > 0 && diff === null
      ? [`${fixable} (marked [*]) have a safe fix: pass edits: true for the diff.`]
      : []),
    ...(hints > 0 ? [`${counted(hints, 'hint')} not shown: pass hints: true to see them.`] : []),
  ].join(' ');
  const parts = [...troubles, summary];
  if (diff === '') parts.push('There is no safe fix to apply.');
  else if (diff) parts.push(...patchParts(diff));
  parts.push((await renderText(shown, { paint: plain })).trimEnd());
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Maximum characters of a patch in the text, which leaves room for the findings on the first page. */
const LONGEST_PATCH = 8_000;

/** The patch with as many whole files as fit, so that it applies, and a sentence about the others. */
function patchParts(diff: string): string[] {
  const files = diff.split(/^(?=--- a\/)/m);
  let count = 1;
  while (count < files.length && files.slice(0, count + 1).join('').length <= LONGEST_PATCH) count++;
  const left = files.length - count;
  return [
    `Safe fixes, for \`git apply\` or \`patch -p1\` in ${process.cwd()}:\n\n\`\`\`diff\n${files.slice(0, count).join('')}\`\`\``,
    left > 0
      ? `${left} more ${left === 1 ? 'file has' : 'files have'} safe fixes: apply this patch, then check again.`
      : '',
  ];
}
