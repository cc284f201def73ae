/** Every command of the command line with its options, as data. */
import { FORMS } from '../provision/environmentPlan.ts';
import type { Command } from './command.ts';

const EXIT_STATUS_OF_CHECK =
  'Exit status: 0 when nothing that counts was found, 1 when something was, 2 when something went wrong.';

/** Options that several commands have, or whose values are of one kind. */
const FILE = { type: 'string', value: 'FILE', completes: 'files' } as const;
const RULES = { type: 'string', multiple: true, value: 'RULES', completes: 'rules', group: 'Rule selection' } as const;
const PATTERNS = { ...FILE, multiple: true, value: 'PATTERNS', group: 'File selection' } as const;
const FORMAT = { type: 'string', value: 'FORMAT', default: 'text' } as const;
const PYTHON = {
  ...FILE,
  value: 'PATH',
  help: "The Python to use: an interpreter or an environment's folder",
} as const;

const check = {
  synopsis: '[PATH...]',
  summary: 'Check Python files and notebooks',
  about: 'Check Python files, notebooks and environment files, such as requirements.txt.',
  usage: ['check [PATH...] [options]'],
  details: [
    'PATH is a file, a folder (searched, respecting .gitignore), or - for standard input; by default, the current folder.',
  ],
  options: {
    fix: { type: 'boolean', help: 'Apply safe fixes' },
    diff: { type: 'boolean', help: 'Show the changes of --fix without applying them' },
    watch: { type: 'boolean', short: 'w', help: 'Check again whenever a file changes' },
    'unsafe-fixes': {
      type: 'boolean',
      help: "With --fix and --diff: include fixes that may change the program's behavior",
    },
    'add-noqa': { type: 'boolean', help: 'Add a `# noqa` comment to each finding, and report the rest' },
    hints: { type: 'boolean', help: 'Include hints, each with the reason why it is only a hint' },
    live: { type: 'boolean', help: "Check against this machine's GPUs: code that needs another one is an error" },
    since: {
      type: 'string',
      value: 'REVISION',
      group: 'New findings only',
      help: 'Report only findings on lines changed since this Git revision, such as origin/main',
    },
    baseline: { ...FILE, group: 'New findings only', help: 'Report only findings that are not in this baseline file' },
    'write-baseline': {
      type: 'boolean',
      group: 'New findings only',
      help: 'Accept the current findings by writing them to the baseline',
    },
    'prune-baseline': {
      type: 'boolean',
      group: 'New findings only',
      help: 'Remove fixed findings from the baseline without accepting new ones',
    },
    'output-format': {
      ...FORMAT,
      choices: ['text', 'concise', 'json', 'sarif', 'github', 'gitlab', 'junit'],
      group: 'Output',
      help: 'Format of the report',
    },
    'output-file': { ...FILE, group: 'Output', help: 'Write the report to this file' },
    statistics: { type: 'boolean', group: 'Output', help: 'Count the findings of each rule instead of showing them' },
    quiet: { type: 'boolean', short: 'q', group: 'Output', help: 'Print only findings and errors' },
    'fail-on': {
      type: 'string',
      value: 'SEVERITY',
      choices: ['error', 'warning', 'information', 'hint'],
      group: 'Output',
      help: 'Exit with 1 for findings of at least this severity (default warning; with --hints, also for hints)',
    },
    'exit-zero': { type: 'boolean', group: 'Output', help: 'Exit with 0 even if there are findings' },
    select: {
      ...RULES,
      help: 'Only these rules (comma-separated codes, prefixes such as GPU1, or names; ALL for every rule)',
    },
    ignore: { ...RULES, help: 'Disable these rules' },
    'extend-select': {
      ...RULES,
      help: 'Enable these rules in addition to the selected ones, such as rules that are off by default',
    },
    exclude: {
      ...PATTERNS,
      help: "Exclude paths that match these patterns (comma-separated, as in .gitignore), instead of the project's `exclude`",
    },
    'extend-exclude': {
      ...PATTERNS,
      help: "Exclude paths that match these patterns, in addition to the project's `exclude`",
    },
    'force-exclude': {
      type: 'boolean',
      group: 'File selection',
      help: "Respect the project's `exclude` even for paths named on the command line",
    },
    'stdin-filename': {
      type: 'string',
      value: 'PATH',
      completes: 'files',
      group: 'File selection',
      help: 'File name for standard input',
    },
    config: { ...FILE, group: 'Settings', help: "Read settings from this file instead of the project's" },
    isolated: { type: 'boolean', group: 'Settings', help: 'Ignore all settings files' },
    'show-settings': {
      type: 'boolean',
      group: 'Settings',
      help: 'Show the settings for the first file, and its enabled rules',
    },
    jobs: { type: 'string', value: 'N', group: 'Settings', help: 'Use N threads (default: one for every two cores)' },
    'no-cache': { type: 'boolean', group: 'Settings', help: 'Neither read nor write the cache' },
  },
  notes: [EXIT_STATUS_OF_CHECK],
  completes: 'files',
} as const satisfies Command;

const inspect = {
  synopsis: 'PATH...',
  summary: 'Show the contents of checkpoints without executing them',
  about:
    'Show the contents of checkpoints: tensors, devices, and whether loading them runs code. Nothing in them is executed.',
  usage: ['inspect PATH... [options]', 'inspect PATH --compare OTHER [options]'],
  details: [
    'PATH is a PyTorch, safetensors, Keras, TensorFlow, GGUF, ONNX, NeMo, TorchServe, joblib or NumPy file, an index of several files, a pickle, a SavedModel folder, or a folder, which is searched for such files. For a URL that starts with http:// or https://, only the metadata is downloaded.',
  ],
  options: {
    all: { type: 'boolean', help: "Show every line of each table, and the tensors of an optimizer's state" },
    metadata: { type: 'boolean', help: 'Also show the metadata: keys of the format, hyperparameters, epoch' },
    filter: {
      type: 'string',
      value: 'TERMS',
      help: 'Show only tensors that match every term in their name, type, shape or device; or name:*.bias, dtype:float16, shape:*x768, device:cuda',
    },
    compare: {
      type: 'string',
      value: 'OTHER',
      completes: 'files',
      help: 'Compare the model with that of another checkpoint or folder: missing and unexpected tensors, shapes, types. Prefixes that only one of them has are removed',
    },
    'fail-on': {
      type: 'string',
      multiple: true,
      value: 'LEVEL',
      choices: ['needs-trust', 'suspicious', 'dangerous', 'not-checked'],
      help: 'Exit with 1 only for files of this level or worse; not-checked is a level of its own, and the option may be repeated',
    },
    'output-format': { ...FORMAT, choices: ['text', 'json'], help: 'Format of the contents' },
    trace: { type: 'boolean', help: 'Show what unpickling would do, call by call, without doing it' },
    limits: {
      type: 'string',
      value: 'N',
      default: '1',
      help: 'Allow N times the usual work, memory and output for each file: about 2 seconds of CPU time, 300 MB and 1 MB (default 1, at most 1000)',
    },
    'no-live': { type: 'boolean', help: 'Do not check whether the file loads on this machine' },
  },
  notes: [
    'Exit status: 0 if every file is complete and harmless, or has no level of --fail-on; 1 if any is not; 2 if any could not be read.',
    'With --compare: 0 if the models have the same tensors, 1 if they differ, 2 if one could not be read.',
  ],
  completes: 'files',
} as const satisfies Command;

const stack = {
  synopsis: '',
  summary: "Show this machine's GPU stack",
  about: "Show this machine's GPU stack: GPUs, driver, CUDA, cuDNN, and the frameworks of the Python in use.",
  usage: ['stack [options]', 'stack --record [FILE]', 'stack --compare A B...'],
  options: {
    'output-format': {
      ...FORMAT,
      choices: ['text', 'json'],
      help: 'Format of the facts (as JSON with their sources), the test or the comparison',
    },
    record: {
      type: 'boolean',
      help: 'Record the stack in FILE (default: gpu-stack.yaml). Keeps its comments, and asks before it replaces a record of another stack',
    },
    force: {
      type: 'boolean',
      help: 'With --record: replace a record of another stack, or record a stack with problems, without asking',
    },
    compare: {
      type: 'boolean',
      help: 'Show how stacks differ: gpu-stack.yaml files, files with the JSON output on one or more machines, posts as for --from, `live` for this machine, - for standard input. Exit status: 0 if none differs, 1 if some do, 2 if something cannot be read',
    },
    from: {
      ...FILE,
      help: 'Diagnose another machine: from its JSON output there, a gpu-stack.yaml, or a post with the output of collect_env, nvidia-smi, pip list, conda list, transformers env and similar commands; - for standard input',
    },
    python: PYTHON,
    smoke: {
      type: 'boolean',
      help: 'Test the GPUs: compute on each GPU that a framework sees, and compare with the CPU',
    },
    'no-probe': { type: 'boolean', help: 'Do not import frameworks or start Python' },
    'fail-on': {
      type: 'string',
      value: 'SEVERITY',
      choices: ['error', 'warning', 'information'],
      help: 'Exit with 1 if the stack has a problem of at least this severity: a machine that cannot work has an error',
    },
  },
  notes: [
    'Exit status: 0, or as --fail-on says. With --smoke: 0 if every GPU works, 1 if something fails, 2 if no GPU could be tested. With --record: 0 if the file has the stack, 2 if not, for example without a terminal to ask on.',
  ],
  completes: 'files',
} as const satisfies Command;

const plan = {
  synopsis: '[REQ|FILE...]',
  summary: 'Plan an environment that works on this machine: the exact commands, or a file',
  about:
    "Plan an environment that works on this machine and meets the project's requirements: the exact commands, or a file. Nothing is installed.",
  usage: ['plan [REQUIREMENT|FILE...] [options]'],
  details: [
    "A REQUIREMENT has pip's syntax, such as torch==2.6 or vllm. A FILE declares requirements: a requirements list of any name, pyproject.toml, environment.yml, pixi.toml, Pipfile, setup.cfg, setup.py or a Dockerfile. By default, requirements come from the project's files, also in requirements/, and from the imports of its Python files.",
  ],
  options: {
    for: {
      type: 'string',
      value: 'FORM',
      choices: FORMS,
      help: "Form of the plan (default: the project's own tool, else pip)",
    },
    from: {
      ...FILE,
      help: 'Plan for another machine: from any file that `gpu-doctor stack --from` reads; - for standard input',
    },
    python: PYTHON,
    check: {
      type: 'boolean',
      help: 'Instead of planning, check whether the current environment meets the requirements with builds that work here',
    },
    'output-format': { ...FORMAT, choices: ['text', 'json'], help: 'Format of the plan' },
    'output-file': { type: 'string', value: 'FILE', completes: 'files', help: 'Write the plan to FILE' },
  },
  notes: [
    'If nothing fits, standard error names the smallest change to a pinned version that makes something fit.',
    'Exit status: 0 when there is a plan, 1 when nothing fits, 2 when something went wrong. With --check: 0 when the environment meets the requirements, 1 when it does not, 2 when there is none to check.',
  ],
} as const satisfies Command;

const run = {
  synopsis: '-- COMMAND',
  summary: 'Run a program, and explain its error if it fails',
  about: 'Run a program unchanged, and explain its error if it fails.',
  usage: ['run [--] COMMAND [ARGUMENT...]'],
  details: [
    'The program keeps its input, output and signals, and its output is passed on immediately. If it fails with a known error, the explanation follows on standard error; for an unknown error about a GPU, the problems of this machine that may cause it.',
  ],
  options: {},
  notes: ["Exit status: the program's."],
  completes: 'programs',
} as const satisfies Command;

const repair = {
  synopsis: '[-- COMMAND]',
  summary: 'Try the remedies of a failing program, or of the stack, in a copy of the environment',
  about: 'Try the remedies of a failing program, or of the stack, in a copy of the environment, and show what works.',
  usage: ['repair [options] -- COMMAND [ARGUMENT...]', 'repair [options] [--python PYTHON]', 'repair --undo'],
  details: [
    'The program runs; if it fails, its environment is copied, a remedy is applied to the copy, and the program runs again there, in the same folder and with the same side effects. Edits of scripts are tried in a copy of the project that consists of links.',
    'Without COMMAND, the problems of the GPU stack are repaired: its frameworks are imported and compute in the copies.',
    'The environment and the project do not change without --apply. Packages come from the indexes that the remedies name.',
  ],
  options: {
    yes: { type: 'boolean', short: 'y', help: 'Run the program again without asking' },
    check: { type: 'string', value: 'COMMAND', help: 'Run this shell command in the copies instead of the program' },
    time: {
      type: 'string',
      value: 'SECONDS',
      default: '60',
      help: 'Stop a program that runs this long after the time of the failure, and take it as working',
    },
    apply: { type: 'boolean', help: 'Apply what works to the environment and the project, and keep what undoes it' },
    undo: { type: 'boolean', help: 'Undo the last repair that was applied in this folder' },
    keep: { type: 'boolean', help: 'Keep the copies' },
    python: {
      type: 'string',
      value: 'PYTHON',
      completes: 'files',
      help: 'Repair the stack of this Python, a program or the folder of an environment',
    },
    'output-format': {
      ...FORMAT,
      choices: ['text', 'json'],
      help: 'Format of the result; as JSON, the programs print to standard error',
    },
  },
  notes: [
    'Exit status: 0 when the program works in a copy or as it is, 1 when nothing helped, 2 when something went wrong.',
  ],
  completes: 'programs',
} as const satisfies Command;

const explain = {
  synopsis: '[FILE]',
  summary: 'Explain an error: its meaning, its causes on this machine, and what to do',
  about: "Explain an error: its meaning, the causes confirmed by this machine's facts, and what to do.",
  usage: ['explain [FILE|-] [options]'],
  details: [
    'FILE contains the error as printed: a traceback, a log of any length, the output of a compiler or of pip. Without FILE, or with -, the error is read from standard input.',
  ],
  options: {
    'output-format': { ...FORMAT, choices: ['text', 'json', 'markdown'], help: 'Format of the explanation' },
    stack: {
      type: 'string',
      value: 'FACTS',
      completes: 'files',
      help: 'Use the facts that `gpu-doctor stack --output-format json` printed on the machine of the error',
    },
    'no-probe': { type: 'boolean', help: 'Use only the text: read no facts from this machine' },
    verbose: { type: 'boolean', help: 'Show all causes, steps and other messages' },
    ask: { type: 'boolean', help: 'If nothing decides between causes, ask at most three questions' },
  },
  notes: [
    "If the text describes a machine with the output of nvidia-smi, collect_env, pip list and the like, that machine's facts are used instead of this machine's, unless they are the same machine.",
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
  about: 'Start the language server, for an editor.',
  usage: ['server --stdio'],
  options: {
    stdio: { type: 'boolean', help: 'Communicate over standard input and output' },
    pipe: { type: 'string', value: 'NAME', help: 'Communicate over a named pipe or socket file, as --pipe=NAME' },
    socket: { type: 'string', value: 'PORT', help: 'Communicate over a local port, given as --socket=PORT' },
  },
} as const satisfies Command;

const mcp = {
  synopsis: '',
  summary: 'Serve tools to a coding agent over the Model Context Protocol',
  about: 'Serve tools to a coding agent over the Model Context Protocol.',
  usage: ['mcp [options]', 'mcp --call TOOL [options]'],
  details: [
    "The agent starts it in the project's folder, and communicates over standard input and output. The tools explain errors, read the GPU stack, check code and propose fixes as a diff, show rules, inspect checkpoints and plan environments. They write, install and run nothing, and read no file outside the folder.",
  ],
  options: {
    allow: {
      type: 'string',
      multiple: true,
      value: 'FOLDER',
      completes: 'folders',
      help: 'Also allow the tools to read this folder',
    },
    python: PYTHON,
    call: {
      type: 'string',
      value: 'TOOL',
      help: 'Answer one tool call with JSON input on standard input, and print the result as JSON',
    },
  },
  notes: ['Exit status: 0. With --call: 0 when the tool has answered, 2 when it could not.'],
} as const satisfies Command;

/** The shells with completion scripts. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

const completion = {
  synopsis: 'SHELL',
  summary: "Print a shell's completion script",
  about: "Print a shell's completion script.",
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
  repair,
  explain,
  rule,
  server,
  mcp,
  'generate-shell-completion': completion,
} as const satisfies Readonly<Record<string, Command>>;

export type CommandName = keyof typeof COMMANDS;
