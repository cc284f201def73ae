/** Every command of the command line with its options, as data. */
import { FORMS } from '../provision/environmentPlan.ts';
import type { Command } from './command.ts';

const EXIT_STATUS_OF_CHECK =
  'Exit status: 0 when nothing that counts was found, 1 when something was, 2 when something went wrong.';

const check = {
  synopsis: '[PATH...]',
  summary: 'Judge Python files and notebooks',
  about: 'Judge Python files, notebooks and the files that describe an environment, such as requirements.txt.',
  usage: ['check [PATH...] [options]'],
  details: [
    'PATH is a file, a folder (walked, respecting .gitignore), or - for standard input; without any, the current folder.',
  ],
  options: {
    fix: { type: 'boolean', help: 'Write the safe fixes into the files' },
    diff: { type: 'boolean', help: 'Show what --fix would write, and write nothing' },
    watch: { type: 'boolean', short: 'w', help: 'Check again whenever a file changes' },
    'unsafe-fixes': {
      type: 'boolean',
      help: 'With --fix and --diff: also the fixes that may change what the program does',
    },
    'add-noqa': { type: 'boolean', help: 'Write a `# noqa` comment behind each finding, and report what remains' },
    hints: { type: 'boolean', help: 'Report hints too' },
    'explain-hints': { type: 'boolean', help: 'Report hints too, each with the reason why it is only a hint' },
    live: { type: 'boolean', help: "Look at this machine's GPUs, too: code that needs another one is an error" },
    since: {
      type: 'string',
      value: 'REVISION',
      group: 'New findings only',
      help: 'Report only findings on lines that were changed since this revision of Git, such as origin/main',
    },
    baseline: {
      type: 'string',
      value: 'FILE',
      completes: 'files',
      group: 'New findings only',
      help: 'Report only findings that this file does not accept',
    },
    'write-baseline': {
      type: 'boolean',
      group: 'New findings only',
      help: 'Accept the present findings: write them into the baseline',
    },
    'prune-baseline': {
      type: 'boolean',
      group: 'New findings only',
      help: 'Drop fixed findings from the baseline, and accept no new ones',
    },
    'output-format': {
      type: 'string',
      value: 'FORMAT',
      default: 'text',
      choices: ['text', 'concise', 'json', 'sarif', 'github', 'gitlab', 'junit'],
      aliases: ['format'],
      group: 'Output',
      help: 'Format of the report',
    },
    'output-file': {
      type: 'string',
      value: 'FILE',
      completes: 'files',
      group: 'Output',
      help: 'Write the report into this file',
    },
    statistics: { type: 'boolean', group: 'Output', help: 'Count the findings of each rule instead of showing them' },
    quiet: { type: 'boolean', short: 'q', group: 'Output', help: 'Print findings and errors, and nothing else' },
    'fail-on': {
      type: 'string',
      value: 'SEVERITY',
      choices: ['error', 'warning', 'information', 'hint'],
      group: 'Output',
      help: 'Exit with 1 for findings of this severity or a higher one (default warning; also for hints, with --hints)',
    },
    'exit-zero': { type: 'boolean', group: 'Output', help: 'Exit with 0 even if there are findings' },
    select: {
      type: 'string',
      multiple: true,
      value: 'RULES',
      completes: 'rules',
      group: 'Rule selection',
      help: 'Only these rules (comma-separated codes, prefixes such as GPU1, or names)',
    },
    ignore: {
      type: 'string',
      multiple: true,
      value: 'RULES',
      completes: 'rules',
      group: 'Rule selection',
      help: 'All but these rules',
    },
    'extend-select': {
      type: 'string',
      multiple: true,
      value: 'RULES',
      completes: 'rules',
      group: 'Rule selection',
      help: 'These rules as well as the selected ones, such as rules that are off by default',
    },
    exclude: {
      type: 'string',
      multiple: true,
      value: 'PATTERNS',
      completes: 'files',
      group: 'File selection',
      help: "Leave out what these patterns match (comma-separated, as in .gitignore), instead of the project's `exclude`",
    },
    'extend-exclude': {
      type: 'string',
      multiple: true,
      value: 'PATTERNS',
      completes: 'files',
      group: 'File selection',
      help: "Leave out what these patterns match, as well as what the project's `exclude` matches",
    },
    'force-exclude': {
      type: 'boolean',
      group: 'File selection',
      help: "Respect the project's `exclude` even for paths named on the command line",
    },
    'include-vendored': {
      type: 'boolean',
      group: 'File selection',
      help: "Judge copies of other projects' code, such as third_party/, as the project's own",
    },
    'stdin-filename': {
      type: 'string',
      value: 'PATH',
      completes: 'files',
      group: 'File selection',
      help: 'The name of what is read from standard input',
    },
    config: {
      type: 'string',
      value: 'FILE',
      completes: 'files',
      group: 'Settings',
      help: "Take the settings from this file instead of the project's",
    },
    isolated: { type: 'boolean', group: 'Settings', help: 'Take no settings from any file' },
    'show-settings': {
      type: 'boolean',
      group: 'Settings',
      help: 'Show the settings of the first file, and the rules that judge it',
    },
    jobs: { type: 'string', value: 'N', group: 'Settings', help: 'Work on N threads (default: all cores)' },
    'no-cache': {
      type: 'boolean',
      group: 'Settings',
      help: 'Neither read nor write the cache of earlier results',
    },
  },
  notes: [EXIT_STATUS_OF_CHECK],
  completes: 'files',
} as const satisfies Command;

const inspect = {
  synopsis: 'PATH...',
  summary: 'Show what is inside checkpoints, without running anything of them',
  about:
    'Show what is inside checkpoints: tensors, devices, and whether loading them runs code. Nothing in them is run.',
  usage: ['inspect PATH... [options]', 'inspect PATH --compare OTHER [options]'],
  details: [
    'PATH is a file of PyTorch, safetensors, Keras, TensorFlow, GGUF, ONNX, Core ML, NeMo, TorchServe, joblib or NumPy, an index of several files, a pickle, a SavedModel folder, or a folder, which is walked for such files. It may be an address that starts with http:// or https://, of which only the parts are fetched that describe the file.',
  ],
  options: {
    all: { type: 'boolean', help: "Show every line of each table, and the tensors of an optimizer's state" },
    metadata: {
      type: 'boolean',
      help: 'Show the metadata beside the tensors: keys of the format, hyperparameters, epoch',
    },
    filter: {
      type: 'string',
      value: 'TERMS',
      help: 'Show only tensors that have each term in their name, type, shape or device; or name:*.bias, dtype:float16, shape:*x768, device:cuda',
    },
    compare: {
      type: 'string',
      value: 'OTHER',
      completes: 'files',
      help: 'Compare the model with that of another checkpoint or folder: missing and unexpected tensors, shapes, types. Prefixes that only one has are taken off',
    },
    json: { type: 'boolean', help: 'Print everything as JSON' },
    trace: { type: 'boolean', help: 'Show what unpickling would do, call by call; nothing of it is done' },
    limits: {
      type: 'string',
      value: 'N',
      default: '1',
      help: 'Allow N times the usual work, memory and output for each file: about 2 seconds of processor time, 300 MB and 1 MB (default 1, at most 1000)',
    },
    'no-live': { type: 'boolean', help: 'Do not look at this machine: not whether a file loads here' },
  },
  notes: [
    'Exit status: 0 when every file is whole and loading it runs no code, 1 when one is not, 2 when one could not be read.',
    'With --compare: 0 when the models have the same tensors, 1 when they differ, 2 when one could not be read.',
  ],
  completes: 'files',
} as const satisfies Command;

const stack = {
  synopsis: '',
  summary: "Read out this machine's GPU stack",
  about: "Read out this machine's GPU stack: GPUs, driver, CUDA, cuDNN, and the frameworks of the Python in use.",
  usage: ['stack [options]', 'stack --record [FILE]', 'stack --compare A B...'],
  options: {
    json: { type: 'boolean', help: 'Print the facts, each with its source, as JSON; of a comparison, all of it' },
    record: {
      type: 'boolean',
      help: 'Record the stack in FILE (default: gpu-stack.yaml). Keeps its comments, and asks before it replaces a record of another stack',
    },
    force: {
      type: 'boolean',
      help: 'With --record: ask nothing; replace a record of another stack, and record a stack with problems',
    },
    compare: {
      type: 'boolean',
      help: 'Show how stacks differ: gpu-stack.yaml files, what --json printed on other machines, one or many in a file, `live` for this machine, - for standard input. Exit status: 0 when none differs, 1 when some do, 2 when something cannot be read',
    },
    from: {
      type: 'string',
      value: 'FILE',
      completes: 'files',
      help: 'Judge another machine instead of this one: by what --json printed there, or by a post with the output of collect_env, nvidia-smi, pip list, conda list, transformers env and the like; - for standard input',
    },
    python: {
      type: 'string',
      value: 'PATH',
      completes: 'files',
      help: "The Python to look at: a program or an environment's folder",
    },
    smoke: {
      type: 'boolean',
      help: 'Try the GPUs: compute on each that a framework sees, and compare with the processor',
    },
    probe: {
      type: 'boolean',
      help: 'Import the frameworks also in a Python that was found in the current folder (.venv)',
    },
    'no-probe': { type: 'boolean', help: 'Import no framework: start no Python at all' },
  },
  notes: [
    'Exit status: 0. With --smoke: 0 when every GPU works, 1 when something fails, 2 when no GPU could be tested. With --record: 0 when the file has the stack, 2 when it does not, also where there is no terminal to ask on.',
  ],
  completes: 'files',
} as const satisfies Command;

const plan = {
  synopsis: '[REQ...]',
  summary: 'Plan an environment that works on this machine: the exact commands, or a file',
  about:
    'Plan an environment that works: the exact commands, or a file, for this machine and what the project needs. Nothing is installed.',
  usage: ['plan [REQUIREMENT...] [options]'],
  details: [
    "A REQUIREMENT is what pip takes, such as torch==2.6 or vllm. Without any, the project's own files say what it needs: requirements.txt, pyproject.toml, environment.yml, pixi.toml, and the imports of its Python files.",
  ],
  options: {
    for: {
      type: 'string',
      value: 'FORM',
      choices: FORMS,
      help: 'Form of the plan (default: what the project uses already, else pip)',
    },
    from: {
      type: 'string',
      value: 'FILE',
      completes: 'files',
      help: 'Plan for the machine of a file instead of this one: what `gpu-doctor stack --json` printed there, or a gpu-stack.yaml; - for standard input',
    },
    python: {
      type: 'string',
      value: 'PATH',
      completes: 'files',
      help: "The Python in use: a program or an environment's folder",
    },
    check: {
      type: 'boolean',
      help: 'Plan nothing: say whether the environment at hand has what is needed, in builds that work here',
    },
    'output-format': {
      type: 'string',
      value: 'FORMAT',
      default: 'text',
      choices: ['text', 'json'],
      aliases: ['format'],
      help: 'Format of the plan',
    },
    'output-file': { type: 'string', value: 'FILE', completes: 'files', help: 'Write the plan into FILE' },
  },
  notes: [
    'Where nothing fits, standard error names the smallest change of a pin after which something does.',
    'Exit status: 0 when there is a plan, 1 when nothing fits, 2 when something went wrong. With --check: 0 when the environment does, 1 when it does not, 2 when there is none to look at.',
  ],
} as const satisfies Command;

const run = {
  synopsis: '-- COMMAND',
  summary: 'Run a program, and explain its error when it fails',
  about: 'Run a program as it is, and explain the error when it fails.',
  usage: ['run [--] COMMAND [ARGUMENT...]'],
  details: [
    "Input, output and signals are the program's own, and its output is passed on as it comes. Only when it fails with a known error, the explanation follows on standard error; for an unknown error that is about a GPU, what is wrong on this machine and may be behind it.",
  ],
  options: {},
  notes: ['Exit status: that of the program.'],
  completes: 'programs',
} as const satisfies Command;

const explain = {
  synopsis: '[FILE]',
  summary: 'Explain an error: what it means, why it came here, and what to do',
  about: "Explain an error: what it means, which cause this machine's facts confirm, and what to do.",
  usage: ['explain [FILE|-] [options]'],
  details: [
    'FILE holds the error as it was printed: a traceback, a log of any length, the output of a compiler or of pip. Without it, or with -, it is read from standard input.',
  ],
  options: {
    'output-format': {
      type: 'string',
      value: 'FORMAT',
      default: 'text',
      choices: ['text', 'json', 'markdown'],
      aliases: ['format'],
      help: 'Format of the explanation',
    },
    stack: {
      type: 'string',
      value: 'FACTS',
      completes: 'files',
      help: 'Judge by the facts that `gpu-doctor stack --json` printed on the machine of the error',
    },
    'no-probe': { type: 'boolean', help: 'Judge by nothing but the text: read no facts of this machine' },
  },
  notes: [
    'A text that describes a machine, by the output of nvidia-smi, collect_env, pip list and the like, is judged by that machine and not by this one, unless they are the same.',
    'Exit status: 0 when the error is explained, 1 when it is unknown, 2 when something went wrong.',
  ],
  completes: 'files',
} as const satisfies Command;

const rule = {
  synopsis: '[RULE]',
  summary: 'List the rules, or explain one',
  about: 'List the rules, or explain one by its code or name.',
  usage: ['rule [RULE...]'],
  options: {},
  completes: 'rules',
} as const satisfies Command;

const server = {
  synopsis: '--stdio',
  summary: 'Start the language server, for an editor',
  about: 'Start the language server, which speaks to an editor.',
  usage: ['server --stdio'],
  options: {
    stdio: { type: 'boolean', help: 'Speak over standard input and output' },
    pipe: { type: 'string', value: 'NAME', help: 'Speak over a named pipe or socket file, as --pipe=NAME' },
    socket: { type: 'string', value: 'PORT', help: 'Speak over a port of this machine, as --socket=PORT' },
  },
} as const satisfies Command;

const mcp = {
  synopsis: '',
  summary: 'Serve tools to a coding agent, over the Model Context Protocol',
  about: 'Serve tools to a coding agent, over the Model Context Protocol.',
  usage: ['mcp [options]', 'mcp --call TOOL [options]'],
  details: [
    'The agent starts it in the folder of the project, and speaks over standard input and output. The tools explain errors, read the GPU stack, check code and propose fixes as a diff, show rules, inspect checkpoints and plan environments. They write, install and run nothing, and read no file outside of the folder.',
  ],
  options: {
    allow: {
      type: 'string',
      multiple: true,
      value: 'FOLDER',
      completes: 'folders',
      help: 'Allow the tools to read this folder, too',
    },
    python: {
      type: 'string',
      value: 'PATH',
      completes: 'files',
      help: "The Python in use: a program or an environment's folder",
    },
    call: {
      type: 'string',
      value: 'TOOL',
      help: 'Answer one call of a tool, whose input is JSON on standard input, and print the result as JSON',
    },
  },
  notes: ['Exit status: 0. With --call: 0 when the tool has answered, 2 when it refused.'],
} as const satisfies Command;

/** The shells with completion scripts. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

const completion = {
  synopsis: 'SHELL',
  summary: 'Print the completion script of a shell',
  about: 'Print the completion script of a shell.',
  usage: [`generate-shell-completion ${SHELLS.join('|')}`],
  details: [
    'Bash: put `eval "$(gpu-doctor generate-shell-completion bash)"` into ~/.bashrc. Zsh: likewise in ~/.zshrc, after compinit. Fish: `gpu-doctor generate-shell-completion fish | source` in ~/.config/fish/config.fish.',
  ],
  options: {},
  completes: SHELLS,
} as const satisfies Command;

/** The commands, in the order of the help. */
export const COMMANDS = {
  check,
  inspect,
  stack,
  plan,
  run,
  explain,
  rule,
  server,
  mcp,
  'generate-shell-completion': completion,
} as const satisfies Readonly<Record<string, Command>>;

export type CommandName = keyof typeof COMMANDS;
