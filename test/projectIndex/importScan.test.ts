import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { scanImports } from '../../server/src/projectIndex/importScan.ts';

/** Texts and their imports: `module`, `module as x`, `module:name`, `module:name as x`; `-` marks nested imports. */
const IMPORTS: readonly (readonly [what: string, text: string, imports: readonly string[]])[] = [
  ['a module', 'import train', ['train']],
  ['modules, one under another name', 'import os, pkg.train as t', ['os', 'pkg.train as t']],
  ['a name', 'from pkg.train import fit', ['pkg.train:fit as fit']],
  ['names, one under another name', 'from .a import b, c as d', ['.a:b as b', '.a:c as d']],
  ['names in brackets', 'from a import (  # why\n    b,  # first\n    c as d,\n)\nx = 1', ['a:b as b', 'a:c as d']],
  ['a continued line', 'from a import b, \\\n    c\n', ['a:b as b', 'a:c as c']],
  ['a statement that begins on the previous line', 'from a \\\n    import b', ['a:b as b']],
  ['everything', 'from ..a import *', ['..a:* as *']],
  ['the package', 'from . import train', ['.:train as train']],
  ['a trailing comment', 'import a  # not b', ['a']],
  ['two on one line', 'import a; from b import c', ['a', 'b:c as c']],
  ['one in a function', 'def f():\n    import a', ['-a']],
  ['Windows line ends', 'import a\r\nfrom b import c\r\n', ['a', 'b:c as c']],
  ['words with the same prefix', 'important = 1\nx.import_module("a")\nreimport(a)', []],
  ['an import after other code', 'x = "we import a"', []],
];

describe('imports found without parsing', () => {
  for (const [what, text, imports] of IMPORTS)
    it(what, () => {
      const found = scanImports(text).map(
        ({ module, name, as, isNested }) =>
          `${isNested ? '-' : ''}${module}${name === undefined ? '' : `:${name}`}${as === undefined ? '' : ` as ${as}`}`,
      );
      assert.deepEqual(found, imports);
    });
});
