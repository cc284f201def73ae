import { bytesText } from '../checkpoint/byteSizes.ts';
import type { FoundCheckpoint } from '../checkpoint/checkpointCache.ts';
import { isCheckpointFormat } from '../checkpoint/formats/index.ts';
import { judgeCheckpoint } from '../loading/checkpointHere.ts';
import type { Here } from '../loading/here.ts';
import { codeSpan, escapeMarkdown } from '../markdown.ts';
import { factsOf, isJudged, type JudgementView, judgementOf, safetyOf } from './checkpointView.ts';

interface HoverOptions {
  /** Facts about the machine, if any. */
  readonly here?: Here;
  /** The command that opens a path in the checkpoint editor, if the client has one. */
  readonly command?: string;
}

/** A summary of a checkpoint as Markdown: whether it loads on this machine, whether it is safe, and its contents. */
export function checkpointMarkdown({ path, summary }: FoundCheckpoint, { here, command }: HoverOptions): string {
  const { format, problems, safety } = summary;
  const link = command === undefined ? codeSpan(path) : `[Open in Checkpoint Inspector](${commandLink(command, path)})`;
  const parts = [`**${plain(nameOf(path))}** · ${link}`];
  parts.push(...problems.filter((problem) => problem !== safety.reason).map(marked));
  if (here && isCheckpointFormat(format))
    parts.push(
      paragraph('This machine', judgementOf(judgeCheckpoint({ ...summary, dtypes: summary.tensors.dtypes }, here))),
    );
  parts.push(...lackOfMemory(summary.tensors.bytes, here).map((sentence) => `**Memory:** ${marked(sentence)}`));
  if (isJudged(summary)) parts.push(paragraph('Safety', briefly(safetyOf(summary))));
  const [first, ...others] = factsOf(summary).map(({ label, value }) => `| ${label} | ${plain(value)} |`);
  parts.push([first, '|:--|:--|', ...others].join('\n'));
  return parts.join('\n\n');
}

/** Returns a sentence if none of the GPUs has enough memory for the tensors. */
function lackOfMemory(bytes: number, here: Here | undefined): string[] {
  const gpus = (here?.gpus ?? []).filter(({ isSplit }) => !isSplit).toSorted((a, b) => b.total - a.total);
  const [largest] = gpus;
  if (!largest || bytes <= largest.total) return [];
  return [`The tensors take ${bytesText(bytes)}, more than ${largest.name} has (${bytesText(largest.total)}).`];
}

function paragraph(subject: string, { headline, sentences }: JudgementView): string {
  return `**${subject}:** ${[`${headline}.`, ...sentences].map(marked).join(' ')}`;
}

/** No reasons are shown for a good verdict. */
function briefly(judgement: JudgementView): JudgementView {
  return judgement.tone === 'good' ? { ...judgement, sentences: [] } : judgement;
}

/** A sentence with code in backticks. Its words may come from a file, so they are shown as plain text. */
function marked(sentence: string): string {
  return sentence
    .split('`')
    .map((part, index) => (index % 2 === 1 ? codeSpan(part) : plain(part)))
    .join('');
}

/** Text with its leading and trailing spaces, in which nothing becomes a link. */
function plain(text: string): string {
  const [, before = '', after = ''] = /^(\s*).*?(\s*)$/s.exec(text) ?? [];
  const inner = escapeMarkdown(text).replaceAll('://', '\\://').replaceAll('www.', 'www\\.');
  return `${before && ' '}${inner}${inner && after && ' '}`;
}

const nameOf = (path: string) => path.split(/[\\/]/).at(-1) ?? path;

/** https://code.visualstudio.com/api/extension-guides/command#command-uris */
const commandLink = (command: string, path: string) =>
  `command:${command}?${encodeURIComponent(JSON.stringify([path]))}`;
