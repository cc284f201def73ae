/** Chat templates: those that build a prompt are harmless, those that can do more need trust. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chatTemplateIn } from '../../server/src/checkpoint/formats/gguf/chatTemplate.ts';

const harmless: Record<string, string> = {
  'nothing but text': 'Below is a chat with __emphasis__ and {single} braces.',
  'an empty text': '',
  'a loop over messages': `{{ bos_token }}{% for message in messages %}{{ '<|' + message['role'] + '|>\\n' + message['content'] | trim + eos_token }}{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>\\n' }}{% endif %}`,
  'a date, a default and an exception': `{%- if not day is defined %}{%- if strftime_now is defined %}{%- set day = strftime_now('%d %b %Y') %}{%- else %}{%- set day = '1 Jan 2026' %}{%- endif %}{%- endif %}
{%- if messages | length == 0 %}{{ raise_exception('no messages') }}{%- endif %}Today: {{ day }}`,
  'tools as JSON': `{%- for tool in tools or [] %}{{- tool.function | default(tool) | tojson(indent=4) }}{%- if not loop.last %},{% endif %}{%- endfor %}`,
  'a namespace that keeps the last question': `{%- set ns = namespace(last=messages|length - 1, is_open=true) %}
{%- for message in messages[::-1] %}{%- set index = (messages|length - 1) - loop.index0 %}
{%- if ns.is_open and message.role == 'user' and not (message.content.startswith('<tool>') and message.content.endswith('</tool>')) %}
{%- set ns.is_open = false %}{%- set ns.last = index %}{%- endif %}{%- endfor %}{{ messages[ns.last].content }}`,
  'an adjacent message': `{%- for m in messages %}{%- if loop.first or messages[loop.index0 - 1].role != m.role %}{{ m.role }}{%- endif %}{%- endfor %}`,
  'parts of an answer': `{%- set content = message.content %}{%- set thought = '' %}{%- if '</think>' in content %}{%- set thought = content.split('</think>')[0].rstrip('\\n').split('<think>')[-1] %}{%- set content = content.split('</think>')[-1].lstrip('\\n') %}{%- endif %}{{ thought ~ content }}`,
  'a macro that calls itself': `{%- macro typed(spec, depth=0) -%}{%- set names = {'string': 'str', 'integer': 'int'} -%}{%- if names[spec.type] is defined -%}{{ names[spec.type] }}{%- elif spec.type == 'array' -%}{{ 'list[' + typed(spec['items'], depth + 1) + ']' }}{%- else -%}any{%- endif -%}{%- endmacro -%}{{ typed(tool.parameters) }}`,
  'keys of a mapping': `{%- for key, value in tool.arguments | dictsort %}{{ key }}={{ tool.arguments[key] }}{% endfor %}{% for name, field in fields.items() if name != 'return' %}{{ name ~ field|string }}{% endfor %}`,
  'loop controls': `{% for m in messages %}{% if m.role == 'system' %}{% continue %}{% endif %}{% if loop.index > 9 %}{% break %}{% endif %}{{ m.content }}{% endfor %}`,
  'the mark of an answer': '{% generation %}{{ message.content }}{% endgeneration %}',
  'chosen messages': `{%- set asked = messages | selectattr('role', 'equalto', 'user') | list %}{{ asked[-1].content }}{{ messages | map(attribute='role') | join(', ') }}{{ types | map('upper') | list }}`,
  'a list that grows': `{%- set seen = namespace(names=[]) %}{%- set _ = seen.names.append(tool.name) %}{%- set seen.names = seen.names + [tool.name] %}{{ seen.names | join }}`,
  'a caller': `{% macro framed(role) %}<{{ role }}>{{ caller() }}</{{ role }}>{% endmacro %}{% call framed('user') %}{{ text }}{% endcall %}`,
  'nested braces': `{{ {'a': {'b': 1}} }}{{ '}}' ~ "{{" ~ '%}' }}{{ {}}}`,
  'raw text and comments': `{% raw %}{{ x.__class__ }}{% endraw %}{# {{ x.__class__ }} #}{%- raw -%} {% x %} {%- endraw -%}`,
  'blocks of text': `{% set head %}a{% endset %}{% filter upper | trim %}{{ head }}{% endfilter %}{% with x = 1 %}{{ x }}{% endwith %}`,
  'raw text that ends after unusual blanks': `{% raw %}{{ x.__class__ }}{%\xa0endraw%}{% raw\u2003%}{% x %}{%\x85endraw\x1c%}`,
  'a key chosen by a condition': `{%- set key = 'reasoning' if is_long else 'tool_calls' %}{{ message[key] }}{{ messages[loop.index0 if loop.first else 0].content }}`,
  'indexes from a range': `{%- for i in range(messages | length) %}{{ messages[i].content }}{{ messages[i * 2 + 1].role }}{% endfor %}`,
  'a list in a namespace that grows by computed texts': `{%- set ns = namespace(parts=[], n=0) %}{%- for key, value in tool.arguments.items() %}{%- set _ = ns.parts.append('<' ~ key ~ '>') %}{{ tool.arguments[key] }}{%- set ns.n = ns.n + 1 %}{%- endfor %}{{ ns.parts | join(', ') }}{{ messages[ns.n].content }}{{ ns['n'] }}`,
  'a part of a word as a key': `{% for key in 'role,content'.split(',') %}{{ messages[0][key] }}{% endfor %}`,
  'the neighbors of a loop item': `{% for m in messages %}{{ loop.previtem.role if loop.previtem is defined }}{{ loop.cycle('a', 'b') }}{% endfor %}`,
  'numbers, tests and operators': `{{ -1 | abs + 2 ** 3 // 2 % 2 }}{{ a if b is not none else c }}{{ x is divisibleby 3 }}{{ x not in y or not z }}{{ x.0 }}{{ (1, 2)[0] }}`,
};

for (const [name, template] of Object.entries(harmless))
  test(`a chat template with ${name} is harmless`, () => {
    const { verdict, reason } = chatTemplateIn(template);
    assert.equal(verdict, 'no-code', reason);
    assert.match(reason, /llama\.cpp/);
  });

/** Computed attribute names. */
const HIDDEN = "'_' ~ '_class_' ~ '_'";

/** Ways to reach Python's internal objects. */
const escapes: Record<string, string> = {
  'an attribute': "{{ ''.__class__ }}",
  'a subscript': "{{ ''['__class__'] }}",
  'adjacent strings': "{{ ''['__cla' 'ss__'] }}",
  'a repeated underscore': "{{ ''['_' * 2 ~ 'class' ~ '_' * 2] }}",
  'an octal escape': "{{ ''['\\137\\137class\\137\\137'] }}",
  'a named escape': "{{ ''['\\N{LOW LINE}\\N{LOW LINE}class__'] }}",
  'a long escape': "{{ ''['\\U0000005f\\U0000005fclass'] }}",
  'a format': "{{ ''['%c%cclass'|format(95, 95)] }}",
  'the formatting operator': "{{ ''['%c%cclass' % (95, 95)] }}",
  'a replacement': "{{ ''['xxclassxx'.replace('x', '_')] }}",
  'a joined list': "{{ ''[['_', '_class']|join] }}",
  'the attribute of a filter': "{{ [x]|map(attribute='__class__')|list }}",
  'a computed attribute of a filter': "{{ [x]|map(attribute='_' ~ '_class')|list }}",
  'groups by an attribute': "{{ [x]|groupby('__class__') }}",
  'a sum of an attribute': "{{ [x]|sum('__class__') }}",
  'the end of an expression within a string': "{{ '}}' ~ ''.__class__ }}",
  'the filter for attributes': "{{ x|attr('role') }}",
  'a name that holds the text': "{% set a = '_' * 2 %}{{ ''[a ~ 'class'] }}",
  'a loop over texts': "{% for key in ['_' ~ '_class'] %}{{ x[key] }}{% endfor %}",
  'a namespace': "{% set ns = namespace() %}{% set ns.key = 'a'|replace('a', '_') %}{{ ''[ns.key] }}",
  'an argument of a macro': "{% macro m(key) %}{{ ''[key] }}{% endmacro %}{{ m('_' ~ '_class') }}",
  'a named argument of a macro': "{% macro m(key) %}{{ ''[key] }}{% endmacro %}{{ m(key='_' ~ '_class') }}",
  'a block of text': "{% set key %}__class__{% endset %}{{ ''[key] }}",
  'names defined in circles': `${Array.from({ length: 40 }, (_, i) => `{% set a${i} = a${i + 1} %}`).join('')}{% set a40 = '_' ~ '_' %}{{ ''[a0] }}`,
  'the frame of a generator': "{{ (messages|map('upper')).gi_frame.f_back }}",
  "Jinja's own objects": '{{ lipsum }}{{ cycler }}',
  'a comment that hides the beginning': "{# {{ #}{{ ''.__class__ }}",
  'a raw block that ends': "{%- raw -%} {%- endraw -%}{{ ''.__class__ }}",
  'a name defined by the program': '{{ __loader__ }}',
  'the text of a special token': '{{ raise_exception[bos_token] }}',
  'a special token that the template may set': "{% if x %}{% set eos_token = 'a' %}{% endif %}{{ x[eos_token] }}",
  'a chat text applied to a function': '{{ namespace[messages[0].role] }}',
  'a redefined loop': `{% set loop = {'first': ${HIDDEN}} %}{{ x[loop.first] }}`,
  'a loop as a parameter': `{% macro m(loop) %}{{ x[loop.first] }}{% endmacro %}{{ m({'first': ${HIDDEN}}) }}`,
  'a loop as the name of items': `{% for loop in [{'first': ${HIDDEN}}] %}{{ x[loop.first] }}{% endfor %}`,
  'the neighbor of an item': `{% for a in [${HIDDEN}, 1] %}{{ x[loop.previtem] }}{% endfor %}`,
  'a list that grows': `{% set l = [] %}{% set _ = l.append(${HIDDEN}) %}{{ x[l[0]] }}`,
  'a list that grows under another name': `{% set l = [] %}{% set k = l %}{% set _ = k.insert(0, ${HIDDEN}) %}{{ x[l[0]] }}`,
  'a list of the chat that grows': `{% set _ = messages.append(${HIDDEN}) %}{{ x[messages[-1]] }}`,
  'a list that grows within a list': `{% set l = [[]] %}{% for k in l %}{% set _ = k.extend([${HIDDEN}]) %}{% endfor %}{{ x[l[0][0]] }}`,
  'an empty list plus another': `{{ x[([] + [${HIDDEN}])[0]] }}`,
  'a tuple plus another': `{{ x[((0,) + (${HIDDEN},))[1]] }}`,
  'the remaining keys': `{{ x[({${HIDDEN}: 1}.keys() - [])|first] }}`,
  'further arguments': `{% macro m() %}{{ x[varargs[0]] }}{% endmacro %}{{ m(${HIDDEN}) }}`,
  'additional named arguments': `{% macro m() %}{{ x[kwargs.k] }}{% endmacro %}{{ m(k=${HIDDEN}) }}`,
  'arguments of a caller': `{% macro m() %}{{ caller(${HIDDEN}) }}{% endmacro %}{% call(k) m() %}{{ x[k] }}{% endcall %}`,
  'an item of a namespace': `{% set n = namespace() %}{% set n.i = ${HIDDEN} %}{{ x[n['i']] }}`,
  'an attribute of namespaces in a list': `{% set n = namespace(i=${HIDDEN}) %}{{ x[[n]|map(attribute='i')|first] }}`,
  'a namespace in a macro': `{% macro m(n) %}{{ x[n.i] }}{% endmacro %}{{ m(namespace(i=${HIDDEN})) }}`,
  'the default of a number': `{{ x['a'|int(${HIDDEN})] }}`,
  'a part of a text': "{% set t = 'x_environment' %}{{ x[t.split('x')[1]] }}",
  'a slice of a text in a list': "{{ x[['x_environment'][0][1:]] }}",
  'a reversed text': "{{ x['tnemnorivne_'|reverse] }}",
  'the format of a date': "{{ x[strftime_now('_class')] }}",
};

for (const [name, template] of Object.entries(escapes))
  test(`a chat template that reaches Python objects through ${name} is suspicious`, () =>
    assert.equal(chatTemplateIn(template).verdict, 'suspicious'));

/** Templates that do more than build a prompt, and templates that the parser rejects. */
const unread: Record<string, string> = {
  'ends raw text with white space of Python':
    "{% raw %}{%\x1cendraw%}{{ cycler.__init__.__globals__.os.system('id') }}{% raw %}{% endraw %}",
  'calls a method of a function': '{% set _ = range.append(1) %}',
  'calls a method of its namespace': '{% set n = namespace() %}{{ n.get(1) }}',
  'calls an attribute of a loop': '{% for a in b %}{{ loop.get(1) }}{% endfor %}',
  'creates a namespace from a computed value': "{% set n = namespace({'i': 1}) %}",
  'calls its argument': "{% set run = x.get('exec') %}{{ run('1') }}",
  'calls an item': "{{ x['a'](1) }}",
  'calls a computed value': '{{ (a or b)(1) }}',
  'calls a method that it defines': '{{ x.run(1) }}',
  'calls a name that it sets': '{% set range = x %}{{ range(1) }}',
  'calls a method that it sets': '{% set ns = namespace() %}{% set ns.get = x %}{{ ns.get(1) }}',
  'formats with a method': "{{ '{0.x}'.format(x) }}",
  'maps with another filter': "{{ x|map('map', attribute='role')|list }}",
  'uses an unknown filter': '{{ x|compile }}',
  'uses an unknown test': "{{ x|select('run')|list }}",
  'includes another template': "{% include 'x' %}",
  'passes on arguments': '{{ dict(**x) }}',
  'has no end': "{{ ''",
  'has a character that Jinja only allows in names': '{{ é }}',
  'has an unmatched bracket': '{{ ) }}',
  'is nested too deep': `{{ ${'('.repeat(100)}1${')'.repeat(100)} }}`,
  'is too long': 'a'.repeat(500_001),
};

for (const [name, template] of Object.entries(unread))
  test(`a chat template that ${name} needs trust`, () => assert.equal(chatTemplateIn(template).verdict, 'needs-trust'));

test('a chat template is read once from start to end, even if it repeats itself', () => {
  const pieces = [
    '{{ ',
    "{{ 'a",
    '{# ',
    '{% raw %}',
    '{%   ',
    '{{ (',
    '{{ [',
    '1_',
    '- ',
    'not ',
    "'a' ~ ",
    '\\',
    'x.',
    '{{ x[',
    '{{ a if b else ',
  ];
  for (const piece of pieces) {
    const template = `{{ ${piece.repeat(Math.floor(450_000 / piece.length))}`;
    const { verdict } = chatTemplateIn(template);
    assert.equal(verdict, 'needs-trust', piece);
  }
});
