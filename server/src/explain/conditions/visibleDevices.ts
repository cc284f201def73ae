import { knownValue } from '../../stack/facts/facts.ts';
import { type Condition, shown } from './condition.ts';

/** How a program or a command sets the variable to numbers. */
const VISIBLE = /CUDA_VISIBLE_DEVICES['"\]\s]{0,4}[=,]\s?['"]?(\d+(?:,\s?\d+)*)(?!-)\b/g;

/** How code, or a message, names a GPU by its number. */
const NUMBERED = /\bcuda:(\d{1,2})\b|\bset_device\((\d{1,2})\)|\.cuda\((\d{1,2})\)/g;

/** What the text sets the variable to, where it is one thing throughout, or else what it is set to here. */
function visibleIn({ text, facts }: Parameters<Condition>[0]): string | undefined {
  const told = new Set([...text.matchAll(VISIBLE)].map(([, list = '']) => list.replaceAll(/\s/g, '')));
  if (told.size > 0) return told.size === 1 ? [...told][0] : undefined;
  return facts && knownValue(facts.variables)?.CUDA_VISIBLE_DEVICES;
}

/** For a program the GPUs of the variable are numbered from 0, so that the highest number is one below how many there are. */
const indexBeyondVisible: Condition = (situation) => {
  const visible = visibleIn(situation);
  if (!visible || !/^\d+(?:,\d+)*$/.test(visible)) return undefined;
  const count = visible.split(',').length;
  const named = [...situation.text.matchAll(NUMBERED)].map(([written, ...numbers]) => ({
    written,
    index: Number(numbers.find((each) => each !== undefined)),
  }));
  const beyond = named.find(({ index }) => index >= count);
  const lets = `CUDA_VISIBLE_DEVICES=${visible} leaves ${count === 1 ? 'one GPU, which is 0' : `${count} GPUs, which are 0 to ${count - 1}`}`;
  if (beyond) return shown(true, `${lets}, and the text has ${beyond.written}`);
  return named.length > 0 ? shown(false, `${lets}, and the text has ${named[0]?.written}`) : undefined;
};

/** Conditions on CUDA_VISIBLE_DEVICES, by name. */
export const visibleDeviceConditions = { 'index-beyond-visible': indexBeyondVisible } satisfies Record<
  string,
  Condition
>;
