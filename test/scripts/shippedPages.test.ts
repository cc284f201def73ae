import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { SHIPPED, shippedPages } from '../../scripts/shippedPages.ts';

test('links in shipped pages lead to shipped or published pages', () => {
  let inside = 0;
  for (const kind of SHIPPED) {
    const pages = shippedPages(kind);
    for (const [name, text] of Object.entries(pages))
      for (const [, target = ''] of text.matchAll(/\]\(([^)]+)\)/g)) {
        if (/^(https:\/\/|#)/.test(target)) continue;
        assert.ok(path.basename(target, '.md') in pages, `${kind}/${name}.md: ${target}`);
        inside++;
      }
  }
  assert.ok(inside > 0);
});
