/** Measures `ast.parse` of the machine's `python3`, the reference for our parser. */
import { execFileSync } from 'node:child_process';

/** Prints the files of the standard library that this Python can parse, at most the given number. */
const FIND = `
import ast, glob, json, sys, sysconfig, warnings
warnings.simplefilter("ignore")
found = []
for file in sorted(glob.glob(sysconfig.get_path("stdlib") + "/**/*.py", recursive=True)):
    if "-packages" in file: continue
    try: ast.parse(open(file, encoding="utf-8").read())
    except (SyntaxError, ValueError): continue
    found.append(file)
    if len(found) == int(sys.argv[1]): break
json.dump(found, sys.stdout)
`;

/** Returns files of the standard library that this Python can parse. */
export const parsedByPython = (most: number): readonly string[] =>
  JSON.parse(execFileSync('python3', ['-I', '-c', FIND, String(most)], { encoding: 'utf8' }));

/** Prints the seconds of `ast.parse` over the files in a list, given by path. */
export const TIME_PYTHON = `
import ast, json, sys, time, warnings
warnings.simplefilter("ignore")
texts = [open(file, encoding="utf-8", newline="").read() for file in json.load(open(sys.argv[1]))]
start = time.perf_counter()
for text in texts: ast.parse(text)
print(time.perf_counter() - start)
`;

const TIME_TEXT = `
import ast, sys, time
text = sys.stdin.buffer.read()
times = []
for _ in range(15):
    start = time.perf_counter()
    ast.parse(text)
    times.append(time.perf_counter() - start)
print(sorted(times)[7] * 1000)
`;

/** The median time of `ast.parse` for a text, in milliseconds. */
export const astParseTime = (text: string): number =>
  Number(execFileSync('python3', ['-I', '-c', TIME_TEXT], { input: text }));
