import type { Entry, Scalar } from '../checkpoint/checkpoint.ts';

/** Metadata as text on one line: `0.001`, `[0.9, 0.999]`, `["<s>", "a", … 32,000 items]`. */
export function entryText({ value, length }: Entry): string {
  if (isList(value)) {
    const items = value.map((item) => (typeof item === 'string' ? JSON.stringify(item) : scalarText(item)));
    return `[${items.join(', ')}${length === undefined ? '' : `, … ${length.toLocaleString('en')} items`}]`;
  }
  const text = scalarText(value).replaceAll(/\s+/g, ' ');
  return length === undefined ? text : `${text}… ${length.toLocaleString('en')} characters`;
}

const isList = (value: Entry['value']): value is readonly Scalar[] => typeof value === 'object' && value !== null;

function scalarText(value: Scalar): string {
  // A 32-bit number has about seven significant digits.
  if (typeof value === 'number' && !Number.isInteger(value) && Math.fround(value) === value)
    return String(Number(value.toPrecision(7)));
  return value === null ? 'none' : String(value);
}

/** Entries, with those of optimizers and schedulers at the end: the settings of a run come first. */
export function inOrderOfInterest(entries: readonly Entry[]): Entry[] {
  return [...entries].sort((one, other) => Number(isSetting(one)) - Number(isSetting(other)));
}

const isSetting = ({ name }: Entry): boolean =>
  /^(optimi[sz]er|optim|opt[A-Z_.]|(lr_)?sched|loops\.|callbacks\.|(grad_)?scaler|rng_)/.test(name);

/** Maximum number of entries in a summary, and of characters in each. */
const MOST_AT_A_GLANCE = 8;
const LONGEST_AT_A_GLANCE = 60;

/** A summary of the outermost entries: `epoch 3, global_step 1200, and 14 more`. Undefined without entries. */
export function metadataAtAGlance(entries: readonly Entry[]): string | undefined {
  if (entries.length === 0) return undefined;
  const depth = ({ name }: Entry) => name.split('.').length;
  const short = [...entries]
    .sort((one, other) => Number(isSetting(one)) - Number(isSetting(other)) || depth(one) - depth(other))
    .filter(({ value }) => value !== null && !isList(value))
    .map((entry) => `${entry.name} ${entryText(entry)}`)
    .filter((text) => text.length <= LONGEST_AT_A_GLANCE)
    .slice(0, MOST_AT_A_GLANCE);
  const others = entries.length - short.length;
  if (short.length === 0) return `${others} ${others === 1 ? 'entry' : 'entries'}`;
  return others === 0 ? short.join(', ') : `${short.join(', ')}, and ${others} more`;
}
