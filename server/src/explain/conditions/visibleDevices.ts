import { isWrittenSource } from '../../pasted/report.ts';
import { readVariables } from '../../pasted/variables.ts';
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

/** That the text names a GPU by the number that it has outside of the program, which counts those of the variable from 0. */
const indexOfMachine: Condition = (situation) => {
  const visible = visibleIn(situation);
  if (!visible || !/^\d+(?:,\d+)*$/.test(visible)) return shown(false, 'no numbers are given to CUDA_VISIBLE_DEVICES');
  const all = visible.split(',').map(Number);
  const named = [...situation.text.matchAll(NUMBERED)].find((numbers) => {
    const index = Number(numbers.slice(1).find((each) => each !== undefined));
    return index >= all.length && all.includes(index);
  });
  const those = all.length === 1 ? 'one GPU, which is 0' : `${all.length} GPUs, which are 0 to ${all.length - 1}`;
  return shown(
    named !== undefined,
    `CUDA_VISIBLE_DEVICES=${visible} leaves ${those}${named ? `, and the text has ${named[0]}` : ''}`,
  );
};

/** That it names a GPU which the machine does not have; CUDA shows those that stand before it. */
const namesMissing: Condition = (situation) => {
  const gpus = situation.facts?.gpus;
  const found = gpus && !isWrittenSource(gpus.source) ? knownValue(gpus) : undefined;
  const visible = visibleIn(situation);
  if (!found?.length || !visible || !/^\d+(?:,\d+)*$/.test(visible)) return undefined;
  return visible.split(',').some((index) => Number(index) >= found.length)
    ? shown(
        true,
        `CUDA_VISIBLE_DEVICES is ${visible}, and the last GPU has number ${found.length - 1} (${gpus?.source})`,
      )
    : undefined;
};

/** Conditions on CUDA_VISIBLE_DEVICES, by name. */
export const visibleDeviceConditions = {
  'index-of-machine': indexOfMachine,
  'visible-devices-missing': namesMissing,
  /** It is set to nothing, or to what no GPU is. */
  'visible-devices-none': ({ facts, text }) => {
    const known = facts && knownValue(facts.variables);
    const told = [known ? [] : (readVariables(text) ?? [])].flat()[0]?.variables;
    const value = (known ?? told)?.CUDA_VISIBLE_DEVICES;
    return value === undefined || !/^(?:|-1|none|NoDevFiles)$/i.test(value)
      ? undefined
      : shown(
          true,
          `CUDA_VISIBLE_DEVICES="${value}" hides every GPU (${known ? facts?.variables.source : 'the text'})`,
        );
  },
  /** NVIDIA_VISIBLE_DEVICES takes that word; to CUDA it is no number, and hides every GPU. */
  'visible-devices-all': ({ text }) => {
    const [set] = /\bCUDA_VISIBLE_DEVICES["']?\s?[=:]\s?["']?all\b/.exec(text) ?? [];
    return set === undefined ? undefined : shown(true, `the text has "${set}"`);
  },
} satisfies Record<string, Condition>;
