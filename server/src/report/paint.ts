import { styleText } from 'node:util';

export type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'blue' | 'cyan' | 'green';

/** Applies a style to text, or returns the text unchanged if colors are off. */
export type Paint = (style: Style, text: string) => string;

/** The paint for a stream: colors only on a terminal, unless `FORCE_COLOR` or `NO_COLOR` overrides it. */
export function paintFor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): Paint {
  if (!wantsColour(stream, env)) return (_style, text) => text;
  return (style, text) => styleText(style, text, { validateStream: false });
}

function wantsColour(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  if (env.NO_COLOR) return false;
  return stream.isTTY === true && env.TERM !== 'dumb';
}
