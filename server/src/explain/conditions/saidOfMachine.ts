import { knownValue } from '../../stack/facts/facts.ts';
import { type Condition, type ShownFact, shown } from './condition.ts';
import { driverIn } from './driverIn.ts';

/** True if the text contains these words; otherwise unknown. */
function saidIn(words: RegExp): Condition {
  return ({ text }) => {
    const found = words.exec(text)?.[0];
    return found === undefined ? undefined : shown(true, `the text says "${found.replace(/\s+/g, ' ').trim()}"`);
  };
}

/** Only WSL 1 has this kernel version. */
const WSL_1 = /\b4\.4\.0-\d+-Microsoft\b/;

const inWsl1: Condition = (situation) => {
  const known = situation.facts && knownValue(situation.facts.wsl);
  if (known !== undefined) return shown(known === 1, `this is ${known === null ? 'not WSL' : `WSL ${known}`}`);
  return saidIn(WSL_1)(situation);
};

/** The kernel and a folder of a system inside Windows. */
const OF_WSL = /\bmicrosoft-standard|-Microsoft\b|\/usr\/lib\/wsl\//;

/** Known to be false if nothing mentions WSL. */
const reportedWsl: Condition = (situation): ShownFact => {
  const known = situation.facts && knownValue(situation.facts.wsl);
  if (known !== undefined) return shown(known !== null, `this is ${known === null ? 'not WSL' : `WSL ${known}`}`);
  return saidIn(OF_WSL)(situation) ?? shown(false, '');
};

/** Conditions on what a text shows of the machine. */
export const saidConditions = {
  'in-wsl-1': inWsl1,
  'reported-in-wsl': reportedWsl,
  /** The driver's version, or its CUDA version in a message. Known to be false if neither is mentioned. */
  'driver-is-reported': (situation) => shown(driverIn(situation) !== undefined),
  /** The table printed by nvidia-smi: the program that prints it can reach the driver, even in a container. */
  'nvidia-smi-answers': saidIn(/\| NVIDIA-SMI \d{3}\.\d+/),
  /** Keras 2 does not require TensorFlow in its metadata. */
  'asked-by-keras': ({ parts: { asker, askerPackage } }) =>
    asker === undefined ? undefined : shown(/^keras\b/i.test(askerPackage ?? asker)),
} satisfies Record<string, Condition>;
