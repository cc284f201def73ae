import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Answers, gather, madeOf, type Question } from '../../server/src/python/gather.ts';
import type { Name } from '../../server/src/python/syntax.ts';
import { nothingVisited, type Visited } from '../../server/src/python/visited.ts';

/** A stretch in which a name is used at some offsets. */
function stretch(...offsets: number[]): Visited {
  const uses = offsets.map((start): Name => ({ kind: 'Name', id: 'x', span: { start, end: start + 1 } }));
  return { ...nothingVisited(), uses: new Map([['x', uses]]) };
}

/** What was asked, and the offsets of all uses. */
function asking() {
  const asked: Visited[] = [];
  const question: Question<Name> = {
    find(each) {
      asked.push(each);
      return (each.uses.get('x') ?? []) as Name[];
    },
    nodeOf: (use) => use,
  };
  const answers: Answers = new Map();
  const ask = (stretches: readonly Visited[], era?: object) => {
    asked.length = 0;
    return gather(answers, stretches, question, undefined, era);
  };
  return { asked, ask };
}

const offsets = (uses: readonly Name[]) => uses.map(({ span }) => span.start);

describe('a gathered list', () => {
  const [module, first, second, third] = [stretch(0, 50), stretch(10), stretch(20, 21), stretch(60)];

  it('is in source order', () => {
    assert.deepEqual(offsets(asking().ask([module, first, second, third])), [0, 10, 20, 21, 50, 60]);
  });

  it('is made of those stretches anew that are new', () => {
    const { asked, ask } = asking();
    ask([module, first, second, third]);
    const other = stretch(22);
    assert.deepEqual(offsets(ask([module, first, other, third])), [0, 10, 22, 50, 60]);
    assert.deepEqual(asked, [other]);
    const added = stretch(5);
    assert.deepEqual(offsets(ask([module, added, first, other, third])), [0, 5, 10, 22, 50, 60]);
    assert.deepEqual(asked, [added]);
    assert.deepEqual(offsets(ask([module, third])), [0, 50, 60]);
    assert.deepEqual(asked, []);
  });

  it('stays the same object where new stretches have what the old ones had', () => {
    const { asked, ask } = asking();
    const before = ask([module, first, stretch(), third]);
    const empty = stretch();
    assert.equal(ask([module, first, empty, third]), before);
    assert.deepEqual(asked, [empty]);
    assert.equal(ask([{ ...module }, first, empty, third]), before);
    assert.notEqual(ask([stretch(0, 50), first, empty, third]), before);
  });

  it('is another one where functions changed places', () => {
    const { ask } = asking();
    const empty = stretch();
    const before = ask([module, first, empty]);
    assert.notEqual(ask([module, empty, first]), before);
  });

  it('is asked for anew in another era', () => {
    const { asked, ask } = asking();
    const era = {};
    const before = ask([module, first], era);
    assert.equal(ask([module, first], era), before);
    assert.deepEqual(asked, []);
    ask([module, first], {});
    assert.deepEqual(asked, [module, first]);
  });
});

it('what is made of a list is made once', () => {
  let made = 0;
  const sizeOf = madeOf((list: readonly number[]) => {
    made++;
    return list.length;
  });
  const list = [1, 2];
  assert.deepEqual([sizeOf(list), sizeOf(list), sizeOf([1])], [2, 2, 1]);
  assert.equal(made, 2);
});
