/** Tables of command options for the documentation. */
import { type Command, type CommandOption, helpOf } from '../server/src/cli/command.ts';

/** Returns a command's options as a Markdown table. */
export function optionTable({ options }: Command): string {
  const rows = Object.entries<CommandOption>(options).map(([name, option]) => {
    const value = option.value === undefined ? '' : ` ${option.value}`;
    const short = option.short === undefined ? '' : `\`-${option.short}\`, `;
    return `| ${short}\`--${name}${value}\` | ${helpOf(option).replaceAll('|', '\\|')} |`;
  });
  return ['| Option | Meaning |', '|---|---|', ...rows].join('\n');
}
