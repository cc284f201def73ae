import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseProgram } from '../../../server/src/guards/program.ts';
import { filePathOf } from '../../../server/src/python/semantic/filePaths.ts';
import { script } from '../../../server/src/python/semantic/source.ts';

const HEAD = `import os, sys
import os.path as osp
import pathlib
from os.path import join
from pathlib import Path
HERE = os.path.dirname(__file__)
ROOT = Path(__file__).resolve().parent.parent
RUNS = "runs"
twice = "a"
twice = sys.argv[1]
either = "a" if sys.argv else "b"
config = {"weights": "w.pt"}
class Config:
    path = "c.pt"
    def load(self):
        self.best = RUNS + "/best.pt"
        return load(self.best)
def read(path="d.pt"):
    return load(path)
`;

/** The path that the argument of the last call of `load` names, with its base if that is the program. */
function pathIn(expression: string): string | undefined {
  const program = parseProgram(script('/project/src/train.py', `${HEAD}load(${expression})\n`));
  return pathArgument(
    program,
    program.index.calls.filter(({ func }) => func.kind === 'Name' && func.id === 'load').at(-1),
  );
}

function pathArgument(
  program: ReturnType<typeof parseProgram>,
  call: (typeof program.index.calls)[number] | undefined,
) {
  const path = call?.args[0] && filePathOf(call.args[0], program);
  return path && `${path.from === 'program' ? 'program: ' : ''}${path.text}`;
}

const KNOWN_PATHS: Readonly<Record<string, string>> = {
  '"a.pt"': 'a.pt',
  RUNS: 'runs',
  'RUNS + "/" + "a.pt"': 'runs/a.pt',
  'f"{RUNS}/a.pt"': 'runs/a.pt',
  'f"{RUNS}/" "a.pt"': 'runs/a.pt',
  "f'''{RUNS}.pt'''": 'runs.pt',
  'os.path.join(RUNS, "a.pt")': 'runs/a.pt',
  'osp.join("/data/", RUNS, "a.pt")': '/data/runs/a.pt',
  'join("runs", "/data/a.pt")': '/data/a.pt',
  'Path("runs") / "a.pt"': 'runs/a.pt',
  'str(pathlib.Path(RUNS, "a.pt"))': 'runs/a.pt',
  'Path(RUNS).joinpath("b", "a.pt")': 'runs/b/a.pt',
  'Path("runs/x.txt").parent / "a.pt"': 'runs/a.pt',
  'os.path.join(os.getcwd(), "a.pt")': 'a.pt',
  'Path.cwd() / "a.pt"': 'a.pt',
  'config["weights"]': 'w.pt',
  'Config.path': 'c.pt',
  'open("a.pt", "rb")': 'a.pt',
  '(name := "a.pt")': 'a.pt',
  'os.path.join(HERE, "a.pt")': 'program: ./a.pt',
  'HERE + "/a.pt"': 'program: ./a.pt',
  'os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "a.pt")': 'program: ./../a.pt',
  'ROOT / RUNS / "a.pt"': 'program: ../runs/a.pt',
  'Path(__file__).parents[1] / "a.pt"': 'program: ../a.pt',
};

const UNKNOWN_PATHS = [
  'sys.argv[1]',
  'twice',
  'either',
  'unknown',
  'f"{unknown}/a.pt"',
  'f"{RUNS!r}"',
  'f"{RUNS:>8}.pt"',
  'os.path.join(unknown, "a.pt")',
  'os.path.join(*parts)',
  'os.environ["X"] + "/a.pt"',
  'Path.home() / "a.pt"',
  'os.path.expanduser("~/a.pt")',
  'Path(unknown).parent',
  'os.path.splitext("a.pt")[0]',
  '"%s.pt" % RUNS',
  '"a.pt".replace("a", "b")',
  'b"a.pt"',
  '3',
];

describe('the path of an expression', () => {
  for (const [expression, path] of Object.entries(KNOWN_PATHS))
    it(`${expression} is ${path}`, () => assert.equal(pathIn(expression), path));

  for (const expression of UNKNOWN_PATHS)
    it(`${expression} is unknown`, () => assert.equal(pathIn(expression), undefined));

  it('follows attributes of the object, but not parameters', () => {
    const program = parseProgram(script('train.py', HEAD));
    const loads = program.index.calls.filter(({ func }) => func.kind === 'Name' && func.id === 'load');
    assert.deepEqual(
      loads.map((call) => pathArgument(program, call)),
      ['runs/best.pt', undefined],
    );
  });
});
