import type { ProjectTool } from '../stack/facts/facts.ts';
import type { ReportReader } from './report.ts';

/** The commands by which tools change or use a project that they lock; others of them, such as `uv pip`, know no project. */
const COMMANDS: Readonly<Record<ProjectTool, string>> = {
  uv: 'uv (?:add|remove|sync|lock|run|init)',
  poetry: 'poetry (?:add|remove|install|lock|run|shell|init)',
  pdm: 'pdm (?:add|remove|install|sync|lock|run|init)',
  pixi: 'pixi (?:add|remove|install|lock|run|shell|init)',
  pipenv: 'pipenv (?:install|sync|lock|run|shell)',
};

const TOOLS = Object.keys(COMMANDS) as ProjectTool[];

/** As it is typed: behind a prompt, in a cell, in a Dockerfile, or on a line of its own. */
const TYPED = (command: string) =>
  new RegExp(`^(?:[^\\n$#>%]{0,120}[$#>%] ?|[ \\t]*(?:!|RUN )?)${command}\\b(?![^\\n]*(?:--script|--no-project))`, 'm');

/** pip beside them changes what no lock knows. */
const PIP = /^(?:[^\n$#>%]{0,120}[$#>%] ?|[ \t]*(?:[!%]|RUN )?)(?:python3? -m )?pip3? install\b/m;

/** What locks the packages of a project, where the text uses that alone to install them. */
export const readProjectCommands: ReportReader = (text) => {
  const found = TOOLS.map((projectTool) => ({ projectTool, at: text.search(TYPED(COMMANDS[projectTool])) }));
  const [tool, other] = found.filter(({ at }) => at >= 0);
  if (tool === undefined || other !== undefined || PIP.test(text)) return undefined;
  return { program: 'the commands', isWritten: true, ...tool };
};
