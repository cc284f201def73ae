/** Adds a link to text if a terminal supports links, or returns the text unchanged. */
export type Link = (text: string, address: string) => string;

/** Returns text without links. */
export const UNLINKED: Link = (text) => text;

/**
 * The links for a stream: only in terminals known to support them (OSC 8), unless `NO_COLOR` or a CI service prevents
 * it. `FORCE_HYPERLINK` overrides this, as in other tools.
 */
export function linksFor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): Link {
  return wantsLinks(stream, env)
    ? (text, address) => `\u001b]8;;${address}\u001b\\${text}\u001b]8;;\u001b\\`
    : UNLINKED;
}

function wantsLinks({ isTTY }: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  const forced = env.FORCE_HYPERLINK;
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false';
  if (isTTY !== true || env.NO_COLOR || env.CI || env.TERM === 'dumb') return false;
  // Terminals that would print the sequence, or swallow the text, do not identify themselves this way.
  return (
    LINKING_PROGRAMS.has(env.TERM_PROGRAM ?? '') ||
    LINKING_TERMINALS.test(env.TERM ?? '') ||
    Number(env.VTE_VERSION ?? 0) >= FIRST_VTE ||
    ['WT_SESSION', 'KONSOLE_VERSION', 'DOMTERM'].some((name) => env[name] !== undefined && env[name] !== '')
  );
}

/** Values of `TERM_PROGRAM`. */
const LINKING_PROGRAMS: ReadonlySet<string> = new Set(['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'zed', 'Hyper']);

/** Values of `TERM`. */
const LINKING_TERMINALS = /^(?:xterm-kitty|alacritty|xterm-ghostty|wezterm|foot)/;

/** VTE 0.50.1: 0.50.0 crashes. */
const FIRST_VTE = 5001;
