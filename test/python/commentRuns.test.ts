import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { loadParser, parseProgram } from '../../server/src/guards/program.ts';
import { thinCommentRuns } from '../../server/src/python/commentRuns.ts';
import { script } from '../../server/src/python/semantic/source.ts';

const run = (indentation: string, length = 40) => `${indentation}# x.cuda() was here\n`.repeat(length);
const commentsIn = (text: string) => text.match(/#/g)?.length ?? 0;

describe('long runs of comments', () => {
  before(loadParser);

  it('are thinned at equal length', () => {
    const text = `x = 1\n${run('')}\n\t\n${run('\t')}y = "# é"  # z\r\n`;
    const thin = thinCommentRuns(text);
    assert.equal(thin.length, text.length);
    assert.equal(thin.replace(/ {19}/g, '# x.cuda() was here'), text);
    assert.equal(commentsIn(thin), 4);
  });

  it('are left alone where they are short', () => {
    const text = `x = 1\n${run('', 15)}y = 2\n${run('', 15)}`;
    assert.equal(thinCommentRuns(text), text);
  });

  it('are left alone in strings', () => {
    const text = `x = """\n${run('')}"""\ny = f'''\n${run('')}'''\n`;
    assert.equal(thinCommentRuns(text), text);
  });

  it('leave the comments behind code', () => {
    const text = `${'x = 1  # why\n'.repeat(40)}${run('')}`;
    assert.equal(commentsIn(thinCommentRuns(text)), 42);
  });

  it('end blocks where they ended them', () => {
    const text = [
      'class Net:',
      '    def forward(self):',
      '        return 1',
      `${run('        ')}        # the last of the method`,
      `${run('    ')}    # the last of the class`,
      `${run('        ')}# the first below it`,
      run('    '),
      'x = 1',
    ].join('\n');
    const [net, x] = parseProgram(script('net.py', text)).cells[0] ?? [];
    const endOf = (what: string) => text.indexOf(what) + what.length;
    assert.equal(net?.span.end, endOf('# the last of the class') + run('        ').length);
    assert.ok(net.kind === 'ClassDef');
    assert.equal(net.body[0]?.span.end, endOf('# the last of the method'));
    assert.equal(x?.span.start, text.indexOf('x = 1'));
  });
});
