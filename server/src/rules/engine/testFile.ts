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
