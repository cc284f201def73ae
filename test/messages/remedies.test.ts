/** The catalogue's instructions: every command, Python snippet and requirement is valid. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { readCondaSpec } from '../../server/src/environment/condaSpec.ts';
import { readRequirement } from '../../server/src/environment/requirement.ts';
import { type InstallCommand, installCommandOf } from '../../server/src/environment/shell/installCommand.ts';
import { writtenWith } from '../../server/src/explain/written.ts';
import { knownMessages } from '../../server/src/messages/catalogue.ts';
import { parseModule } from '../../server/src/python/syntax/parse.ts';
import { programsOf } from './shell.ts';

const ways = knownMessages().flatMap(({ id, causes, remedies = [] }) =>
  [...remedies, ...causes.flatMap(({ ask, remedies = [] }) => (ask ? [ask, ...remedies] : remedies))].map((way) => ({
    id,
    ...way,
    ...writtenWith(way, {}),
  })),
);
const commands = [...new Map(ways.flatMap(({ id, command }) => (command === null ? [] : [[command, id] as const])))];

/** Commands for cmd, in which paths and variables differ from a POSIX shell. */
const WINDOWS_COMMAND = /^(?:set|copy|where|vcvarsall\.bat|winget) |^\.\\|\\Scripts\\/;

/** Programs that a remedy may run, besides those with a grammar below. */
const PROGRAMS = new Set(
  `akmods amdgpu-install apptainer apt-cache apt-file boltz brew cat cd chown cl cmake compute-sanitizer copy cp ct2-transformers-converter curl deepspeed df dkms dmesg dnf dpkg echo env export
  ffmpeg file find free g++ gcc gdown getent git gpu-doctor grep head helm hf hostname huggingface-cli id journalctl kubectl ldconfig ldd
  jupyter llama-cli llama-server ln ls lsmod lsof lspci make md5sum mim mkdir mlflow modinfo modprobe mokutil mv nc ninja nnUNetv2_train numba nvcc nvidia-ctk nvidia-modprobe
  nvidia-smi nvidia-uninstall ollama onnxsim pacman paste patchelf protoc ptxas pwd py-spy quota ray reboot rm rmmod rocm-smi rocminfo saved_model_cli sbatch sed set
  sh sinfo snap softwareupdate srun systemctl tail tee tr trtexec ubuntu-drivers udevadm ulimit uname unset update-alternatives update-initramfs usermod
  vcvarsall.bat vllm wc where where.exe which winget wsl yolo zip ./configure`.split(/\s+/),
);

interface Grammar {
  readonly flags: readonly string[];
  readonly valued: readonly string[];
  /** The required form of an argument. */
  readonly argument: (text: string) => boolean;
}

const isAny = () => true;
const isRequirement = (text: string) =>
  /^git\+https:\/\/|^\.\/?|^[A-Z]+\b/.test(text) || (readRequirement(text, 0) !== undefined && !/^-/.test(text));
const isSpec = (text: string) => text === '...' || readCondaSpec(text, 0) !== undefined;
const isName = (text: string) => /^[\w.+*-]+$/.test(text);
const words = (text: string) => text.split(' ').filter(Boolean);

/** Options of pip, uv and conda without a value. */
const INSTALL_FLAGS = words(
  '-U --upgrade --force-reinstall --no-deps --no-cache-dir --no-build-isolation --no-index -v -y --override-channels --set',
);
/** Options that only uv has. */
const OF_UV = words('--index --default-index --torch-backend');

/** Returns the error in a command that installs or removes packages. */
function errorInInstall({ tool, removes, operands, options }: InstallCommand): string | undefined {
  const isOperand = removes ? isName : tool === 'conda' ? isSpec : isRequirement;
  const wrong = operands.find(({ text }) => !isOperand(text));
  if (wrong !== undefined) return `${wrong.text} is no argument`;
  const odd = options.find(
    ({ name, value }) =>
      (value === undefined && !INSTALL_FLAGS.includes(name)) || (tool === 'pip' && OF_UV.includes(name)),
  );
  return odd && `${odd.name} is no option, or has no value`;
}

const APT: Grammar = {
  flags: words('--reinstall -y'),
  valued: [],
  argument: (text) => isName(text) || text.includes('$()'),
};

/** The subcommands in use, according to the programs' own manuals. */
const GRAMMARS: Readonly<Record<string, Grammar>> = {
  'pip show': { flags: words('-f'), valued: [], argument: isName },
  'pip list': { flags: [], valued: [], argument: () => false },
  'pip check': { flags: [], valued: [], argument: () => false },
  'pip debug': { flags: words('--verbose'), valued: [], argument: () => false },
  'pip index': { flags: [], valued: [], argument: isName },
  'pip freeze': { flags: [], valued: [], argument: () => false },
  'pip --version': { flags: [], valued: [], argument: () => false },
  'uv venv': { flags: [], valued: ['--python'], argument: isName },
  'uv run': { flags: words('--no-sync'), valued: [], argument: isName },
  'conda clean': { flags: words('--packages --tarballs -y'), valued: [], argument: () => false },
  'conda config': { flags: [], valued: words('--set'), argument: isName },
  'conda activate': { flags: [], valued: [], argument: isName },
  'conda list': { flags: [], valued: [], argument: isName },
  'conda info': { flags: [], valued: [], argument: () => false },
  'apt install': APT,
  'apt update': { flags: [], valued: [], argument: () => false },
  'apt-get install': APT,
  'apt purge': APT,
  'apt-get remove': APT,
  'apt autoremove': APT,
  'docker run': {
    flags: [],
    valued: words(
      '--cap-add --device -e --gpus --group-add --ipc --network -p --runtime --shm-size --ulimit --platform --model-id',
    ),
    argument: isAny,
  },
  'podman run': { flags: [], valued: ['--device', '--group-add'], argument: isAny },
  'docker pull': { flags: [], valued: ['--platform'], argument: isAny },
  'docker context': { flags: [], valued: [], argument: isName },
  'docker info': { flags: [], valued: [], argument: () => false },
  'docker restart': { flags: [], valued: [], argument: isAny },
  'docker compose': { flags: [], valued: [], argument: isAny },
  'docker --version': { flags: [], valued: [], argument: () => false },
  'accelerate launch': { flags: [], valued: ['--num_processes'], argument: isAny },
  torchrun: {
    flags: ['--standalone'],
    // torchrun accepts both spellings.
    valued: words(
      '--nproc-per-node --nproc_per_node --nnodes --node-rank --master-addr --master-port --log-dir --redirects --tee --rdzv-backend --rdzv-endpoint --rdzv-conf',
    ),
    argument: isAny,
  },
  python: { flags: words('-VV'), valued: words('-c -m -X'), argument: isAny },
};

const wordOf = (text: string) => ({ text, span: { start: 0, end: 0 }, isPlain: true });

/** Returns the error in the arguments of a program; undefined if there is none. */
function errorInArguments([program = '', ...rest]: readonly string[]): string | undefined {
  if (program === 'python' && rest[0] === '-m' && rest[1] === 'pip') return errorInArguments(rest.slice(1));
  // Arguments after a script, a module or code belong to that.
  if (program === 'python') return errorInGrammar(GRAMMARS.python, rest.slice(0, rest[0]?.startsWith('-') ? 2 : 1));
  const name = /(?:^|[\\/])(?:bin|Scripts)[\\/]pip$/.test(program) ? 'pip' : program.replace(/^\/.*\//, '');
  const install = installCommandOf({ program: name, words: rest.map(wordOf) });
  if (install !== undefined && /^(?:pip|uv pip|conda)$/.test(install.tool)) return errorInInstall(install);
  const [subcommand = ''] = rest;
  const grammar = GRAMMARS[name] ?? GRAMMARS[`${name} ${subcommand}`];
  if (grammar) return errorInGrammar(grammar, GRAMMARS[name] ? rest : rest.slice(1));
  return PROGRAMS.has(name) ? undefined : `${name} is no program that is known`;
}

function errorInGrammar(grammar: Grammar | undefined, rest: readonly string[]): string | undefined {
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] ?? '';
    const [option = '', value] = word.split(/=(.*)/s);
    if (!word.startsWith('-')) {
      if (!grammar?.argument(word)) return `${word} is no argument`;
    } else if (grammar?.valued.includes(option)) {
      if (value === undefined && rest[++at] === undefined) return `${option} has no value`;
    } else if (!grammar?.flags.includes(option)) return `${option} is no option`;
  }
  return undefined;
}

describe('an instruction in the catalogue', () => {
  test('is a command, Python code or a setting', () => {
    for (const { id, title, command, code, setting } of ways)
      assert.ok([command, code, setting].filter((each) => each !== null).length <= 1, `${id}: ${title}`);
  });

  test('commands are valid in a POSIX shell', { skip: process.platform === 'win32' }, () => {
    const lines = commands.filter(([command]) => !WINDOWS_COMMAND.test(command));
    // Each snippet is checked in a function of its own, so that an open bracket cannot run into the next one.
    const script = lines.map(([command], number) => `f${number}() {\n${command}\n}\n`).join('');
    execFileSync('bash', ['-n'], { input: script, stdio: ['pipe', 'ignore', 'pipe'] });
  });

  test('commands use existing programs and options', () => {
    const wrong = commands.flatMap(([command, id]) =>
      WINDOWS_COMMAND.test(command)
        ? []
        : programsOf(command).flatMap((words) => {
            const what = errorInArguments(words);
            return what === undefined ? [] : [`${id}: ${command}: ${what}`];
          }),
    );
    assert.deepEqual(wrong, []);
  });

  test('Python code is valid, in programs and after -c', () => {
    const codes = ways.flatMap(({ id, code }) => (code === null ? [] : [[id, code] as const]));
    const snippets = commands.flatMap(([command, id]) =>
      programsOf(command).flatMap(([, option, code]) => (option === '-c' && code ? [[id, code] as const] : [])),
    );
    assert.ok(codes.length > 200 && snippets.length > 30);
    for (const [id, code] of [...codes, ...snippets]) {
      const [error] = parseModule(`${code}\n`).errors;
      assert.equal(error?.message, undefined, `${id}: ${code}`);
    }
  });

  test('invalid commands, code and requirements are detected', () => {
    for (const line of [
      'pip instal torch',
      'pip install --index torch',
      'pip install "torch=2.1"',
      'conda install --channel-url x y',
      'model.to("cuda")',
      'device = "cuda"',
      'nvida-smi -L',
    ])
      assert.ok(
        programsOf(line).some((words) => errorInArguments(words) !== undefined),
        line,
      );
  });
});

describe('text captured from a message', () => {
  const write = (text: string, parts: Record<string, string>) => writtenWith({ command: text, code: text }, parts);

  test('is one argument of a command', () => {
    assert.equal(write('ls -l {path|FILE}', { path: '/a/b.pt' }).command, 'ls -l /a/b.pt');
    assert.equal(write('ls -l {path|FILE}', { path: 'C:\\My Models\\b.pt' }).command, 'ls -l "C:\\My Models\\b.pt"');
    assert.equal(
      write('pip install "{package}{wanted}"', { package: 'peft', wanted: '>=0.4' }).command,
      'pip install "peft>=0.4"',
    );
  });

  test('does not start a second command', () => {
    for (const path of ['$(reboot)', '`reboot`', 'a"; reboot; "', "a'; reboot; '", 'a!b', 'a\\'])
      assert.equal(write('ls -l {path|FILE}', { path }).command, 'ls -l FILE');
    assert.equal(write('ls -l {path|FILE}', { path: 'a; reboot' }).command, 'ls -l "a; reboot"');
    assert.equal(write('ls {path|FILE}', { path: 'a\nreboot' }).command, 'ls "a reboot"');
  });

  test('is an identifier or part of a string in Python', () => {
    assert.equal(write('f("{path|DIR}")', { path: 'C:\\new"' }).code, 'f("C:\\\\new\\"")');
    assert.equal(write('f({name})', { name: 'Net' }).code, 'f(Net)');
    assert.equal(write('f({name})', { name: 'exit()' }).code, 'f(NAME)');
  });
});
