import { isWrittenSource } from '../../pasted/report.ts';
import { readReportedVariables } from '../../pasted/variables.ts';
import { knownValue } from '../../stack/facts/facts.ts';
import { type Condition, shown } from './condition.ts';

/** A GPU's number in code or in a message. */
const NUMBERED = /\bcuda:(\d{1,2})\b|\bset_device\((\d{1,2})\)|\.cuda\((\d{1,2})\)/g;

/** The value that a command or a program sets, otherwise the one on this machine. */
function visibleIn({ text, facts }: Parameters<Condition>[0]): string | undefined {
  const [reported] = [readReportedVariables(text) ?? []].flat();
  return (
    reported?.variables?.CUDA_VISIBLE_DEVICES?.replaceAll(/\s/g, '') ??
    (facts && knownValue(facts.variables)?.CUDA_VISIBLE_DEVICES)
  );
}

/**
 * True if the text uses the machine's own number for a GPU, although the program numbers the GPUs in the variable from
 * 0.
 */
const indexOfMachine: Condition = (situation) => {
  const visible = visibleIn(situation);
  if (!visible || !/^\d+(?:,\d+)*$/.test(visible)) return shown(false, 'no numbers are given to CUDA_VISIBLE_DEVICES');
  const all = visible.split(',').map(Number);
  const named = [...situation.text.matchAll(NUMBERED)].find((numbers) => {
    const index = Number(numbers.slice(1).find((each) => each !== undefined));
    return index >= all.length && all.includes(index);
  });
  const those = all.length === 1 ? 'one GPU, numbered 0' : `${all.length} GPUs, numbered 0 to ${all.length - 1}`;
  return shown(
    named !== undefined,
    `CUDA_VISIBLE_DEVICES=${visible} leaves ${those}${named ? `, and the text has ${named[0]}` : ''}`,
  );
};

/** True if the variable names a GPU that the machine does not have; CUDA only uses the entries before it. */
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
  /** The variable is empty, or names no GPU. */
  'visible-devices-none': ({ facts, text }) => {
    const known = facts && knownValue(facts.variables);
    const reported = [known ? [] : (readReportedVariables(text) ?? [])].flat()[0]?.variables;
    const value = (known ?? reported)?.CUDA_VISIBLE_DEVICES;
    return value === undefined || !/^(?:|-1|none|NoDevFiles)$/i.test(value)
      ? undefined
      : shown(
          true,
          `CUDA_VISIBLE_DEVICES="${value}" hides every GPU (${known ? facts?.variables.source : 'the text'})`,
        );
  },
  /** NVIDIA_VISIBLE_DEVICES accepts that word; CUDA does not, and hides every GPU. */
  'visible-devices-all': ({ text }) => {
    const [set] = /\bCUDA_VISIBLE_DEVICES["']?\s?[=:]\s?["']?all\b/.exec(text) ?? [];
    return set === undefined ? undefined : shown(true, `the text has "${set}"`);
  },
} satisfies Record<string, Condition>;
