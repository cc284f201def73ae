/** Shell completion scripts, generated from the tables of commands and options. */
import { allRules } from '../lint/allRules.ts';
import { UNUSED_SUPPRESSION, UNUSED_SUPPRESSION_NAME } from '../lint/ruleNames.ts';
import { type Command, type CommandOption, HELP_OPTION } from './command.ts';
import { COMMANDS, SHELLS } from './commands.ts';
import { readArguments, UsageError } from './usage.ts';

/** `gpu-doctor generate-shell-completion`: prints the script of a shell. */
export async function completion(args: readonly string[]): Promise<number> {
  const read = readArguments('generate-shell-completion', args);
  if (!read) return 0;
  const [name, ...others] = read.positionals;
  const shell = SHELLS.find((each) => each === name);
  if (!shell || others.length > 0) throw new UsageError(`name a shell: ${SHELLS.join(', ')}`);
  process.stdout.write(SCRIPTS[shell]());
  return 0;
}

const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], () => string>> = { bash, zsh, fish };

const NAMES = [...Object.keys(COMMANDS), 'help'];

/** Commands with their options, including the help option. */
const commands = (): (readonly [
  name: string,
  command: Command,
  options: readonly (readonly [string, CommandOption])[],
])[] =>
  Object.entries<Command>(COMMANDS).map(([name, command]) => [
    name,
    command,
    [...Object.entries<CommandOption>(command.options), ['help', HELP_OPTION]],
  ]);

/** The names of rules: codes and names. */
const RULES = [...allRules.flatMap(({ code, name }) => [code, name]), UNUSED_SUPPRESSION, UNUSED_SUPPRESSION_NAME];

/** Without a completion, Bash completes file names. */
function bash(): string {
  const cases = commands().map(([name, { completes }, options]) => {
    const values = options.flatMap(([long, { short, type, choices, completes: kind }]) => {
      if (type === 'boolean') return [];
      const names = [`--${long}`, ...(short === undefined ? [] : [`-${short}`])].join('|');
      const offer = choices ? `words="${choices.join(' ')}"` : kind === 'rules' ? 'words="$rules"; list=1' : 'return';
      return [`        ${names}) ${offer} ;;`];
    });
    const positionals = typeof completes === 'object' ? completes.join(' ') : completes === 'rules' ? '$rules' : '';
    const flags = options.flatMap(([long, { short }]) =>
      short === undefined ? [`--${long}`] : [`--${long}`, `-${short}`],
    );
    return `    ${name})
      words="${positionals}"
      [[ $current == -* ]] && words="${flags.join(' ')}"
      case $previous in
${[...values, '        *) ;;'].join('\n')}
      esac
      ;;`;
  });
  return `# Completion of gpu-doctor for Bash.
_gpu_doctor() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} words="" list="" head=""
  local rules="${RULES.join(' ')}"
  COMPREPLY=()
  # \`--option=value\` comes as three words.
  if [[ $current == = ]]; then
    current=""
  elif [[ $previous == = ]]; then
    previous=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "${NAMES.join(' ')} --help --version" -- "$current"))
    return
  fi
  case \${COMP_WORDS[1]} in
${cases.join('\n')}
    help) words="${NAMES.join(' ')}" ;;
  esac
  if [[ $list && $current == *,* ]]; then
    head=\${current%,*},
    current=\${current##*,}
  fi
  [[ $words ]] && COMPREPLY=($(compgen -P "$head" -W "$words" -- "$current"))
}
complete -o bashdefault -o default -F _gpu_doctor gpu-doctor
`;
}

/** Completes a program, with or without a `--` before it, and then that program's own arguments. */
const ZSH_PROGRAM = `      shift words
      ((CURRENT--))
      if [[ $words[1] == -- ]] && ((CURRENT > 1)); then
        shift words
        ((CURRENT--))
      fi
      _normal`;

function zsh(): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const described = (text: string) => text.replace(/[[\]:\\]/g, (special) => `\\${special}`);
  const action = (choices: readonly string[] | undefined, kind: string | undefined) => {
    if (choices) return `(${choices.join(' ')})`;
    return kind === 'rules' ? '_sequence compadd - $rules' : kind === 'folders' ? '_files -/' : '_files';
  };
  const cases = commands().map(([name, { completes }, options]) => {
    if (completes === 'programs') return `    ${name})\n${ZSH_PROGRAM}\n      ;;`;
    const specs = options.map(([long, { short, type, multiple, value = '', choices, completes: kind, help }]) => {
      const text = `[${described(help)}]`;
      if (type === 'string') return quoted(`${multiple ? '*' : ''}--${long}=${text}:${value}:${action(choices, kind)}`);
      if (short === undefined) return quoted(`--${long}${text}`);
      return `${quoted(`(-${short} --${long})`)}{-${short},--${long}}${quoted(text)}`;
    });
    if (completes === 'rules') specs.push("'*:rule:compadd - $rules'");
    else if (completes === 'files') specs.push("'*:file:_files'");
    else if (completes !== undefined) specs.push(quoted(`:word:${action(completes, undefined)}`));
    return `    ${name})
      _arguments -s : \\
        ${specs.join(' \\\n        ')}
      ;;`;
  });
  const list = commands().map(([name, { summary }]) => quoted(`${name}:${described(summary)}`));
  return `#compdef gpu-doctor
# Completion of gpu-doctor for Zsh.
_gpu_doctor() {
  local -a commands rules
  commands=(
    ${[...list, "'help:Show the help of a command'"].join('\n    ')}
  )
  rules=(${RULES.join(' ')})
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
${cases.join('\n')}
    help) _describe command commands ;;
  esac
}
if [[ $funcstack[1] == _gpu-doctor ]]; then
  _gpu_doctor "$@"
else
  compdef _gpu_doctor gpu-doctor
fi
`;
}

function fish(): string {
  const quoted = (text: string) => `'${text.replace(/['\\]/g, (special) => `\\${special}`)}'`;
  const offer = (choices: readonly string[] | undefined, kind: string | undefined) => {
    if (choices) return `-x -a ${quoted(choices.join(' '))}`;
    if (kind === 'rules') return "-x -a '(__gpu_doctor_rules)'";
    return kind === 'folders' ? "-x -a '(__fish_complete_directories)'" : '-r -F';
  };
  const lines = commands().flatMap(([name, { summary, completes }, options]) => {
    const inside = `complete -c gpu-doctor -n '__fish_seen_subcommand_from ${name}'`;
    const positionals =
      completes === undefined
        ? []
        : completes === 'files'
          ? [`${inside} -F`]
          : completes === 'programs'
            ? [`${inside} -a '(__fish_complete_subcommand --fcs-skip=2)'`]
            : [`${inside} -a ${completes === 'rules' ? "'(__gpu_doctor_each_rule)'" : quoted(completes.join(' '))}`];
    return [
      `complete -c gpu-doctor -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
      ...positionals,
      ...options.map(([long, { short, type, choices, completes: kind, help }]) =>
        [
          inside,
          ...(short === undefined ? [] : ['-s', short]),
          '-l',
          long,
          ...(type === 'boolean' ? [] : [offer(choices, kind)]),
          '-d',
          quoted(help),
        ].join(' '),
      ),
    ];
  });
  return `# Completion of gpu-doctor for Fish.
function __gpu_doctor_each_rule
  printf '%s\\n' ${RULES.join(' ')}
end
function __gpu_doctor_rules
  __fish_complete_list , __gpu_doctor_each_rule
end
complete -c gpu-doctor -f
${lines.join('\n')}
complete -c gpu-doctor -n __fish_use_subcommand -a help -d 'Show the help of a command'
complete -c gpu-doctor -n '__fish_seen_subcommand_from help' -a ${quoted(NAMES.join(' '))}
complete -c gpu-doctor -n __fish_use_subcommand -s V -l version -d 'Show the version'
`;
}
