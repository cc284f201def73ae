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
  if (!visible || !/^\d+(?:,\d+)*$/.test(visible)) return shown(false);
  const all = visible.split(',').map(Number);
  const named = [...situation.text.matchAll(NUMBERED)].find((numbers) => {
    const index = Number(numbers.slice(1).find((each) => each !== undefined));
    return index >= all.length && all.includes(index);
  });
  const those = all.length === 1 ? 'one GPU, numbered 0' : `${all.length} GPUs, numbered 0 to ${all.length - 1}`;
  return shown(named !== undefined, `CUDA_VISIBLE_DEVICES=${visible} leaves ${those}, and the text has ${named?.[0]}`);
};

/** How Compose files set the variable. */
const ALL = /\bCUDA_VISIBLE_DEVICES["']?\s?[=:]\s?["']?all\b/;

/**
 * True if the variable is empty, names no GPU, or one that the machine does not have; CUDA only uses the entries before
 * it. NVIDIA_VISIBLE_DEVICES accepts the word "all"; CUDA does not.
 */
const hides: Condition = (situation) => {
  const { facts, text } = situation;
  const [set] = ALL.exec(text) ?? [];
  if (set !== undefined) return shown(true, `the text has "${set}"`);
  const value = visibleIn(situation);
  if (value === undefined) return facts && knownValue(facts.variables) ? shown(false) : undefined;
  if (/^(?:|-1|none|NoDevFiles|all)$/i.test(value))
    return shown(true, `CUDA_VISIBLE_DEVICES="${value}" hides every GPU`);
  const found = facts && !isWrittenSource(facts.gpus.source) ? knownValue(facts.gpus) : undefined;
  if (!found?.length || !/^\d+(?:,\d+)*$/.test(value)) return undefined;
  return shown(
    value.split(',').some((index) => Number(index) >= found.length),
    `CUDA_VISIBLE_DEVICES is ${value}, and the last GPU has number ${found.length - 1} (${facts?.gpus.source})`,
  );
};

/** Conditions on CUDA_VISIBLE_DEVICES, by name. */
export const visibleDeviceConditions = {
  'index-of-machine': indexOfMachine,
  'visible-devices-hide': hides,
} satisfies Record<string, Condition>;
