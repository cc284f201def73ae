/** True for a file of tests: `test_*.py`, `*_test.py`, `conftest.py`, or anything below a folder `test` or `tests`. */
export function isTestFile(path: string): boolean {
  const parts = path.split(/[\\/]/);
  const file = parts.pop() ?? '';
  return (
    /^(test_.*|.*_test|conftest)\.(py|ipynb)$/.test(file) || parts.some((part) => part === 'test' || part === 'tests')
  );
}
