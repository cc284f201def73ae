/**
 * Checks whether a Jinja template can do more than build text. Without a sandbox, an expression reaches Python's own
 * functions through attributes: `''.__class__.__mro__`. Therefore each name, attribute, method, filter and test must be
 * one that only formats data, and attribute names must be literals in the template, never computed.
 */
import {
  type Addition,
  createKinds,
  isChatInput,
  isOwnLoop,
  isPlainAttribute,
  type Kinds,
  mayBeAttributeName,
  mayNotBeData,
} from './kinds.ts';
import type { Binding, ChatTemplate, Filter, TemplateArguments, TemplateCall, TemplateExpression } from './syntax.ts';
import { TemplateTrouble } from './tokens.ts';

/** Functions of Jinja and of programs that run chat templates, except those that expose more than data. */
const FUNCTIONS: ReadonlySet<string> = new Set('raise_exception strftime_now namespace range dict caller'.split(' '));
/** Jinja objects that give access to its code. */
const JINJA_OBJECTS: ReadonlySet<string> = new Set('lipsum cycler joiner self super'.split(' '));
const LOOP_METHODS: ReadonlySet<string> = new Set(['cycle', 'changed']);

/** Methods that add their arguments to the object on which they are called. */
const ADDING: ReadonlySet<string> = new Set(['append', 'extend', 'insert']);

const METHODS: ReadonlySet<string> = new Set(
  `append capitalize casefold center count endswith extend find get index insert isalnum isalpha isdecimal isdigit
   islower isnumeric isspace istitle isupper items join keys ljust lower lstrip partition pop removeprefix removesuffix
   replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title upper values
   zfill`.split(/\s+/),
);
const FILTERS: ReadonlySet<string> = new Set(
  `abs batch capitalize center count d default dictsort e escape filesizeformat first float forceescape format groupby
   indent int items join last length list lower map max min pprint random reject rejectattr replace reverse round safe
   select selectattr slice sort string striptags sum title tojson trim truncate unique upper urlencode urlize wordcount
   wordwrap xmlattr`.split(/\s+/),
);
const TESTS: ReadonlySet<string> = new Set(
  `boolean callable defined divisibleby eq equalto escaped even false float ge gt greaterthan in integer iterable le
   lessthan lower lt mapping ne none number odd sameas sequence string true undefined upper`.split(/\s+/),
);

/** Argument positions at which filters accept an attribute name, besides `attribute=`. */
const ATTRIBUTE_PLACES: Readonly<Record<string, number | undefined>> = {
  groupby: 0,
  join: 1,
  map: undefined,
  max: 1,
  min: 1,
  rejectattr: 0,
  selectattr: 0,
  sort: 2,
  sum: 0,
  unique: 1,
};
/** Argument positions at which filters accept the name of a test. */
const TEST_PLACES: Readonly<Record<string, number>> = { select: 0, reject: 0, selectattr: 1, rejectattr: 1 };

/** Audits a template. @throws TemplateTrouble for anything that may do more than build text */
export function auditTemplate(template: ChatTemplate): void {
  const { expressions, bindings, macros } = template;
  const hasOwnLoop = isOwnLoop(template);
  const parameters = new Map(macros.map((macro) => [macro.name, macro.parameters]));
  const own = new Set([...bindings.map(({ name }) => name), ...macros.flatMap((macro) => macro.parameters)]);
  const all: Binding[] = [...bindings];
  const indexed: { base: TemplateExpression; index: TemplateExpression }[] = [];
  const called: TemplateExpression[] = [];
  const additions: Addition[] = [];

  const walk = (expression: TemplateExpression): void => {
    switch (expression.kind) {
      case 'number':
      case 'text':
      case 'block':
        return;
      case 'name':
        if (JINJA_OBJECTS.has(expression.name)) throw uses(expression.name);
        // A name that starts with an underscore is defined by the template or by the program.
        if (!isPlainAttribute(expression.name) && !own.has(expression.name)) throw uses(expression.name);
        return;
      case 'attribute':
        if (!isPlainAttribute(expression.name)) throw reads(expression.name);
        return walk(expression.base);
      case 'subscript':
        walk(expression.base);
        walk(expression.index);
        if (expression.index.kind !== 'text') indexed.push(expression);
        else if (!isPlainAttribute(expression.index.source)) throw reads(expression.index.source);
        return;
      case 'slice':
        walk(expression.base);
        return expression.bounds.forEach(walk);
      case 'call':
        return walkCall(expression);
      case 'filter':
        if (!FILTERS.has(expression.name))
          throw new TemplateTrouble(`uses the filter \`${shown(expression.name)}\``, expression.name === 'attr');
        walk(expression.base);
        walkArguments(expression.arguments);
        return checkFilter(expression);
      case 'test':
        if (!TESTS.has(expression.name)) throw new TemplateTrouble(`uses the test \`${shown(expression.name)}\``);
        walk(expression.base);
        return walkArguments(expression.arguments);
      case 'choice':
        expression.conditions.forEach(walk);
        return expression.items.forEach(walk);
      default:
        return expression.items.forEach(walk);
    }
  };

  const walkArguments = ({ positional, named }: TemplateArguments): void => {
    positional.forEach(walk);
    for (const [, value] of named) walk(value);
  };

  const walkCall = ({ callee, arguments: given }: TemplateCall): void => {
    walkArguments(given);
    if (callee.kind === 'attribute') {
      const { base, name } = callee;
      if (!hasOwnLoop && base.kind === 'name' && base.name === 'loop' && LOOP_METHODS.has(name)) return;
      if (!METHODS.has(name)) throw new TemplateTrouble(`calls \`${shown(name)}\``, !isPlainAttribute(name));
      called.push(base);
      if (ADDING.has(name)) for (const value of given.positional) additions.push({ base, value });
      return walk(base);
    }
    const name = callee.kind === 'name' ? callee.name : undefined;
    if (name === undefined) throw new TemplateTrouble('calls a computed value');
    const taken = parameters.get(name);
    if ((!FUNCTIONS.has(name) && !taken) || own.has(name)) throw new TemplateTrouble(`calls \`${shown(name)}\``);
    for (const [index, parameter] of (taken ?? []).entries()) {
      const value = given.positional[index];
      if (value) all.push({ name: parameter, value });
    }
    if (name === 'namespace' && given.positional.length > 0)
      throw new TemplateTrouble('creates a namespace from a computed value');
    const target = name === 'namespace' ? '.' : '';
    if (taken || name === 'namespace') for (const [key, value] of given.named) bind(`${target}${key}`, value);
  };

  const bind = (name: string, value: TemplateExpression): void => {
    all.push({ name, value });
  };

  for (const expression of expressions) walk(expression);
  for (const { name } of all)
    if (name.startsWith('.') && (METHODS.has(name.slice(1)) || !isPlainAttribute(name.slice(1))))
      throw new TemplateTrouble(`sets the attribute \`${shown(name.slice(1))}\``);
  const kinds = createKinds(all, additions, template);
  for (const { base, index } of indexed) if (!mayIndex(base, index, kinds)) throw computes();
  if (called.some((base) => mayNotBeData(kinds.of(base))))
    throw new TemplateTrouble('calls a method of a value that may not be data');
}

/**
 * True if an index can only select an item: it is a number, a literal in the template, or chat text applied to data.
 */
function mayIndex(base: TemplateExpression, index: TemplateExpression, kinds: Kinds): boolean {
  const kind = kinds.of(index);
  return !mayBeAttributeName(kind) && !(isChatInput(kind) && mayNotBeData(kinds.of(base)));
}

const shown = (name: string) => name.slice(0, 60);
const uses = (name: string) => new TemplateTrouble(`uses \`${shown(name)}\``, true);
const computes = () => new TemplateTrouble('computes the name of something that it reads', true);
const reads = (name: string) => new TemplateTrouble(`reads the attribute \`${shown(name)}\``, true);

/** Checks that the attribute, test or filter passed to a filter as an argument is an allowed literal. */
function checkFilter({ name, arguments: { positional, named } }: Filter): void {
  if (!Object.hasOwn(ATTRIBUTE_PLACES, name) && !Object.hasOwn(TEST_PLACES, name)) return;
  const place = ATTRIBUTE_PLACES[name];
  const attributes = named.filter(([key]) => key === 'attribute').map(([, value]) => value);
  if (place !== undefined && positional[place]) attributes.push(positional[place]);
  for (const attribute of attributes) {
    if (attribute.kind === 'number') continue;
    if (attribute.kind !== 'text') throw computes();
    for (const part of attribute.source.split('.')) if (!isPlainAttribute(part)) throw reads(part);
  }
  const test = positional[TEST_PLACES[name] ?? -1];
  if (test && !(test.kind === 'text' && (TESTS.has(test.source) || /^[=!<>]=?$/.test(test.source))))
    throw new TemplateTrouble(`uses an unknown test in \`${name}\``);
  const [mapped] = name === 'map' ? positional : [];
  if (!mapped) return;
  const isKnown =
    mapped.kind === 'text' && FILTERS.has(mapped.source) && !Object.hasOwn(ATTRIBUTE_PLACES, mapped.source);
  if (!isKnown) throw new TemplateTrouble('maps with an unknown filter');
}
