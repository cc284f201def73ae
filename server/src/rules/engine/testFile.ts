import type { Program } from '../../guards/program.ts';

/**
 * True for a test file: `test_*.py`, `*_test.py`, `conftest.py`, or anything below a folder `test` or `tests` of the
 * project at `root`, or of the path if no project is known.
 */
export function isTestFile(path: string, root = ''): boolean {
  const parts = (path.startsWith(root) ? path.slice(root.length) : path).split(/[\\/]/);
  const file = parts.pop() ?? '';
  return (
    /^(test_.*|.*_test|conftest)\.(py|ipynb)$/.test(file) || parts.some((part) => part === 'test' || part === 'tests')
  );
}

/** True for a `*_test.py` that is a script: it runs its `main()`, and a test runner collects nothing from it. */
export function isScriptNamedTest({ source, index }: Program): boolean {
  if (!/_test\.(py|ipynb)$/.test(source.path) || /(^|[\\/])tests?[\\/]/.test(source.path)) return false;
  const isCollected = index.functions.some(({ name }) => name.startsWith('test'));
  return !isCollected && index.usesOf('__name__').length > 0 && index.callsSpelled(['main']).length > 0;
}
