/** Names that pickle scanners warn about are never judged harmless here. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { standingOf } from '../../server/src/checkpoint/pickle/standing.ts';

/** Names by the scanner that lists them; `*` stands for a whole module. */
const denied: Record<string, string[]> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'fixtures/denied.json'), 'utf8'),
);

/**
 * Names that scanners deny with their whole module although they only convert or hold data. fickling itself allows most
 * of them.
 */
const DATA = new Set(
  `builtins.bool builtins.bytearray builtins.bytes builtins.complex builtins.dict builtins.float builtins.frozenset
   builtins.int builtins.list builtins.range builtins.set builtins.slice builtins.str builtins.tuple builtins.object
   builtins.NoneType builtins.Ellipsis builtins.NotImplemented types.SimpleNamespace`.split(/\s+/),
);

/** Names that are tested in each module that is denied as a whole. */
const SAMPLES = [
  ...new Set(['anything', 'Popen', 'load', ...[...DATA].map((name) => name.slice(name.lastIndexOf('.') + 1))]),
];

for (const [scanner, names] of Object.entries(denied))
  test(scanner, () => {
    assert.ok(names.length > 30);
    for (const entry of names) {
      const dot = entry.lastIndexOf('.');
      const isModule = entry.endsWith('.*');
      const [module, name] = isModule ? [entry.slice(0, -2), undefined] : [entry.slice(0, dot), entry.slice(dot + 1)];
      for (const each of name === undefined ? SAMPLES : [name]) {
        const full = `${module}.${each}`;
        if (DATA.has(full) || full === 'torch.storage._load_from_bytes') continue;
        const standing = standingOf({ module, name: each });
        assert.ok(standing === 'dangerous' || standing === 'unknown', `${full} is ${standing}`);
      }
    }
  });
