import type { ProjectTool } from '../stack/facts/facts.ts';
import type { ReportReader } from './report.ts';

/** Commands with which tools change or use a locked project; other commands, such as `uv pip`, ignore projects. */
const COMMANDS: Readonly<Record<ProjectTool, string>> = {
  uv: 'uv (?:add|remove|sync|lock|run|init)',
  poetry: 'poetry (?:add|remove|install|lock|run|shell|init)',
  pdm: 'pdm (?:add|remove|install|sync|lock|run|init)',
  pixi: 'pixi (?:add|remove|install|lock|run|shell|init)',
  pipenv: 'pipenv (?:install|sync|lock|run|shell)',
};

const TOOLS = Object.keys(COMMANDS) as ProjectTool[];

/** As typed: after a prompt, in a cell, in a Dockerfile, or on a separate line. */
const TYPED = (command: string) =>
  new RegExp(`^(?:[^\\n$#>%]{0,120}[$#>%] ?|[ \\t]*(?:!|RUN )?)${command}\\b(?![^\\n]*(?:--script|--no-project))`, 'm');

/** pip changes packages outside of any lock. */
const PIP = /^(?:[^\n$#>%]{0,120}[$#>%] ?|[ \t]*(?:[!%]|RUN )?)(?:python3? -m )?pip3? install\b/m;

/** Returns the tool that locks a project's packages, if the text installs packages only with it. */
export const readProjectCommands: ReportReader = (text) => {
  const found = TOOLS.map((projectTool) => ({ projectTool, at: text.search(TYPED(COMMANDS[projectTool])) }));
  const [tool, other] = found.filter(({ at }) => at >= 0);
  if (tool === undefined || other !== undefined || PIP.test(text)) return undefined;
  return { program: 'the commands', isWritten: true, ...tool };
};
