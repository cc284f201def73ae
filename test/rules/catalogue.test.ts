import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  deviceCallables,
  loaders,
  raisingCalls,
  readCatalogue,
  readers,
} from '../../server/src/rules/catalogue/catalogue.ts';
import { gpuCallsSchema, loadersSchema, readersSchema } from '../../server/src/rules/catalogue/schema.ts';

test('the catalogues match their schema and name each callable once', () => {
  assert.equal(loadersSchema.parse(readCatalogue('loaders')).length, loaders.size);
  assert.equal(readersSchema.parse(readCatalogue('readers')).length, readers.size);
  const { devices, raising } = gpuCallsSchema.parse(readCatalogue('gpuCalls'));
  assert.equal(devices.length, deviceCallables.size);
  assert.equal(raising.length, raisingCalls.size);
});

test('a loader in the catalogue states when it is a problem', () => {
  for (const loader of loaders.values())
    assert.equal(loader.rule === undefined, loader.trap === undefined, loader.name);
});
