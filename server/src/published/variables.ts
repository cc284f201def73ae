import { dataOnUse } from './dataOnUse.ts';

interface Meanings {
  readonly on?: string;
  readonly off?: string;
  readonly when?: Readonly<Record<string, string>>;
  readonly otherwise?: string;
}

const data = dataOnUse<Readonly<Record<string, Meanings>>>(import.meta.dirname, 'variables');

/** The names of environment variables that affect programs on GPUs. */
export function gpuVariables(): readonly string[] {
  return Object.keys(data());
}

/** Returns the meaning of a variable's value that is the same on all machines; undefined if there is none. */
export function generalMeaning(name: string, value: string): string | undefined {
  const { on, off, when = {}, otherwise = on && 'switched off' } = data()[name] ?? {};
  const isOn = /^(1|y|yes|true|on)$/i.test(value);
  const own = (isOn ? on : /^(0|false)$/i.test(value) ? off : undefined) ?? when[value] ?? otherwise;
  return own?.replace('{value}', () => value);
}
