import { remembering } from './remembering.ts';

/** How a build's code runs on a GPU: natively, compiled by the driver, or not at all. */
export type CodeFit = 'native' | 'compiled' | 'none';

/** GPUs of systems on a chip do not run the code of graphics cards of their generation, and vice versa. */
const ON_CHIP = ['5.3', '6.2', '7.2', '8.7', '10.1'];

/**
 * Returns how a build with this code runs on a GPU of that compute capability ("8.6").
 * Source: CUDA programming guide, binary and PTX compatibility: machine code runs on the same major version with an
 * equal or higher minor one, "sm_90a" on that very part, "sm_100f" on its family; PTX compiles for anything later.
 */
export function codeFits(architectures: readonly string[], capability: string): CodeFit {
  const parsed = architectures.flatMap((each) => codeOf(each) ?? []);
  const [major = 0, minor = 0] = capability.split('.').map(Number);
  const native = parsed.some((code) => {
    if (code.kind !== 'sm' || code.major !== major) return false;
    const name = `${code.major}.${code.minor}`;
    if (code.suffix === 'a' || ON_CHIP.includes(name) || ON_CHIP.includes(capability)) return name === capability;
    return code.minor <= minor;
  });
  if (native) return 'native';
  const compiled = parsed.some(
    (code) =>
      code.kind === 'compute' &&
      code.suffix === '' &&
      (code.major < major || (code.major === major && code.minor <= minor)),
  );
  return compiled ? 'compiled' : 'none';
}

/** Parses "sm_90a"; null for other forms. */
const codeOf = remembering((architecture) => {
  const [, kind, major, minor, suffix] = architecture.match(/^(sm|compute)_(\d+)(\d)([af]?)$/) ?? [];
  return kind === undefined ? null : { kind, major: Number(major), minor: Number(minor), suffix };
});
