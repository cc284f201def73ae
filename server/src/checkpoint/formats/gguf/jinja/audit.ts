/**
 * Whether a Jinja template can do more than put text together. Outside of a sandbox an expression reaches Python's own
 * functions by attributes: `''.__class__.__mro__`. So each name, attribute, method, filter and test has to be one that
 * formats data, and the name of an attribute has to stand in the template as it is: none may be put together there.
 */
import type { Arguments, Attribute, Binding, Call, Expression, Filter, Template } from './syntax.ts';
import { TemplateTrouble } from './tokens.ts';

/** Functions that Jinja and those who run chat templates bring, without those that hand out more than data. */
const FUNCTIONS: ReadonlySet<string> = new Set('raise_exception strftime_now namespace range dict caller'.split(' '));
/** Objects of Jinja's own that lead to its code. */
const JINJAS_OWN: ReadonlySet<string> = new Set('lipsum cycler joiner self super'.split(' '));
const LOOP_METHODS: ReadonlySet<string> = new Set(['cycle', 'changed']);

const METHODS: ReadonlySet<string> = new Set(
  `append capitalize casefold center count endswith extend find get index insert isalnum isalpha isdecimal isdigit
   islower isnumeric isspace istitle isupper items join keys ljust lower lstrip partition pop removeprefix removesuffix
   replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title upper values
   zfill`.split(/\s+/),
);
/** Methods and filters that put new text together, of which a part may be anything. */
const COMPOSING: ReadonlySet<string> = new Set(
  `center join ljust replace rjust zfill e escape filesizeformat forceescape format indent pprint string striptags sum
   tojson truncate urlencode urlize wordwrap xmlattr`.split(/\s+/),
);
/** Methods and filters that give numbers. */
const COUNTING: ReadonlySet<string> = new Set(
  'abs count endswith find float index int length rfind rindex round startswith wordcount'.split(' '),
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

/** Where filters take the name of an attribute: its place among the arguments, besides `attribute=`. */
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
/** Where filters take the name of a test. */
const TEST_PLACES: Readonly<Record<string, number>> = { select: 0, reject: 0, selectattr: 1, rejectattr: 1 };

/** Attributes of Python's frames, generators, functions and classes: `jinja2/sandbox.py` forbids them, too. */
const INTROSPECTIVE =
  /^((gi|cr|ag)_(frame|code|yieldfrom|await|origin)|tb_(frame|next)|f_(back|builtins|code|globals|locals|trace|generator)|func_\w+|im_(class|func|self)|mro)$/;

/** True for the name of an attribute that data has. */
const isPlainAttribute = (name: string) =>
  !name.startsWith('_') && !name.includes('__') && !name.includes('\\') && !INTROSPECTIVE.test(name);

/** True for a text that is no name of an attribute of Python's own, nor holds one. */
const isPlainText = (source: string) =>
  !/__|\\[^nrt\\'"]/.test(source) && !source.startsWith('_') && !INTROSPECTIVE.test(source);

/** What a value may be: a number; data, or a text as it stands in the template; a text that it puts together. */
type Kind = 0 | 1 | 2;
const NUMBER = 0;
const DATA = 1;
const COMPOSED = 2;

/** Rounds in which names are settled; templates that need more set names in circles. */
const MOST_ROUNDS = 10;

/** Goes through a template. @throws TemplateTrouble for what may be more than putting text together */
export function auditTemplate({ expressions, bindings, macros }: Template): void {
  const parameters = new Map(macros.map((macro) => [macro.name, macro.parameters]));
  const own = new Set([...bindings.map(({ name }) => name), ...macros.flatMap((macro) => macro.parameters)]);
  const all: Binding[] = [...bindings];
  const indexes: Expression[] = [];

  const walk = (expression: Expression): void => {
    switch (expression.kind) {
      case 'number':
      case 'text':
        return;
      case 'name':
        if (JINJAS_OWN.has(expression.name)) throw uses(expression.name);
        // A name with an underscore in front is the template's own, or the program's.
        if (!isPlainAttribute(expression.name) && !own.has(expression.name)) throw uses(expression.name);
        return;
      case 'attribute':
        if (!isPlainAttribute(expression.name)) throw reads(expression.name);
        return walk(expression.base);
      case 'subscript':
        walk(expression.base);
        walk(expression.index);
        if (expression.index.kind !== 'text') indexes.push(expression.index);
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
        if (expression.base) walk(expression.base);
        walkArguments(expression.arguments);
        return checkFilter(expression);
      case 'test':
        if (!TESTS.has(expression.name)) throw new TemplateTrouble(`uses the test \`${shown(expression.name)}\``);
        walk(expression.base);
        return walkArguments(expression.arguments);
      default:
        return expression.items.forEach(walk);
    }
  };

  const walkArguments = ({ positional, named }: Arguments): void => {
    positional.forEach(walk);
    for (const [, value] of named) walk(value);
  };

  const walkCall = ({ callee, arguments: given }: Call): void => {
    walkArguments(given);
    if (callee.kind === 'attribute') {
      const { base, name } = callee;
      const isOfLoop = base.kind === 'name' && base.name === 'loop' && LOOP_METHODS.has(name);
      if (!METHODS.has(name) && !isOfLoop)
        throw new TemplateTrouble(`calls \`${shown(name)}\``, !isPlainAttribute(name));
      return walk(base);
    }
    const name = callee.kind === 'name' ? callee.name : undefined;
    if (name === undefined) throw new TemplateTrouble('calls what it computes');
    const taken = parameters.get(name);
    if ((!FUNCTIONS.has(name) && !taken) || own.has(name)) throw new TemplateTrouble(`calls \`${shown(name)}\``);
    for (const [index, parameter] of (taken ?? []).entries()) {
      const value = given.positional[index];
      if (value) all.push({ name: parameter, value });
    }
    const target = name === 'namespace' ? '.' : '';
    if (taken || name === 'namespace') for (const [key, value] of given.named) bind(`${target}${key}`, value);
  };

  const bind = (name: string, value: Expression): void => {
    all.push({ name, value });
  };

  for (const expression of expressions) walk(expression);
  for (const { name } of all)
    if (name.startsWith('.') && (METHODS.has(name.slice(1)) || !isPlainAttribute(name.slice(1))))
      throw new TemplateTrouble(`sets the attribute \`${shown(name.slice(1))}\``);
  const kinds = settled(all, new Set(parameters.keys()));
  const composed = indexes.find((index) => kindOf(index, kinds) === COMPOSED);
  if (composed) throw new TemplateTrouble('computes the name of what it reads', true);
}

const shown = (name: string) => name.slice(0, 60);
const uses = (name: string) => new TemplateTrouble(`uses \`${shown(name)}\``, true);
const reads = (name: string) => new TemplateTrouble(`reads the attribute \`${shown(name)}\``, true);

/** A filter may take the name of an attribute, of a test or of another filter, which has to stand there as a text. */
function checkFilter({ name, arguments: { positional, named } }: Filter): void {
  if (!Object.hasOwn(ATTRIBUTE_PLACES, name) && !Object.hasOwn(TEST_PLACES, name)) return;
  const place = ATTRIBUTE_PLACES[name];
  const attributes = named.filter(([key]) => key === 'attribute').map(([, value]) => value);
  if (place !== undefined && positional[place]) attributes.push(positional[place]);
  for (const attribute of attributes) {
    if (attribute.kind === 'number') continue;
    if (attribute.kind !== 'text') throw new TemplateTrouble('computes the name of what it reads', true);
    for (const part of attribute.source.split('.')) if (!isPlainAttribute(part)) throw reads(part);
  }
  const test = positional[TEST_PLACES[name] ?? -1];
  if (test && !(test.kind === 'text' && (TESTS.has(test.source) || /^[=!<>]=?$/.test(test.source))))
    throw new TemplateTrouble(`uses a test of its own in \`${name}\``);
  const [mapped] = name === 'map' ? positional : [];
  if (!mapped) return;
  const isKnown =
    mapped.kind === 'text' && FILTERS.has(mapped.source) && !Object.hasOwn(ATTRIBUTE_PLACES, mapped.source);
  if (!isKnown) throw new TemplateTrouble('maps by a filter of its own');
}

type Kinds = ReadonlyMap<string, Kind>;

/** What each name of the template may stand for, wherever it is set. */
function settled(bindings: readonly Binding[], macros: ReadonlySet<string>): Kinds {
  const kinds = new Map<string, Kind>([...macros].map((name) => [`${name}()`, COMPOSED]));
  for (let round = 0; round < MOST_ROUNDS; round++) {
    let hasChanged = false;
    for (const { name, value } of bindings) {
      const before = kinds.get(name) ?? NUMBER;
      const now = value ? worse(before, kindOf(value, kinds)) : COMPOSED;
      if (kinds.has(name) && now === before) continue;
      kinds.set(name, now);
      hasChanged = true;
    }
    if (!hasChanged) return kinds;
  }
  for (const { name } of bindings) kinds.set(name, COMPOSED);
  return kinds;
}

const worse = (one: Kind, other: Kind): Kind => (one > other ? one : other);

function kindOf(expression: Expression, kinds: Kinds): Kind {
  const of = (each: Expression) => kindOf(each, kinds);
  const worst = (items: readonly Expression[], least: Kind = NUMBER) => items.map(of).reduce(worse, least);
  switch (expression.kind) {
    case 'number':
    case 'truth':
    case 'test':
      return NUMBER;
    case 'text':
      return isPlainText(expression.source) ? DATA : COMPOSED;
    case 'name':
      return kinds.get(expression.name) ?? DATA;
    case 'group':
      return worst(expression.items);
    case 'arithmetic':
      return kindOfArithmetic(expression.operators, expression.items.map(of));
    case 'attribute':
      return kindOfAttribute(expression, kinds);
    case 'subscript':
      return of(expression.base);
    case 'slice':
      // A part of a text may be the name that the whole is not.
      return expression.base.kind === 'text' ? COMPOSED : of(expression.base);
    case 'call':
      return kindOfCall(expression, kinds);
    case 'filter': {
      const { base, name, arguments: given } = expression;
      const [mapped] = name === 'map' ? given.positional : [];
      const inner = mapped?.kind === 'text' ? mapped.source : name;
      if (COUNTING.has(inner)) return NUMBER;
      if (COMPOSING.has(inner) || !base) return COMPOSED;
      return worst([base, ...given.positional, ...given.named.map(([, value]) => value)]);
    }
  }
}

function kindOfArithmetic(operators: ReadonlySet<string>, kinds: readonly Kind[]): Kind {
  if (operators.has('~')) return COMPOSED;
  // Texts are added to texts, repeated by numbers, and formatted by `%`; whatever else takes a text fails.
  const adds = operators.has('+');
  if (adds) return kinds.includes(NUMBER) && !operators.has('*') ? NUMBER : COMPOSED;
  const mayRepeat = operators.has('*') || operators.has('%');
  return mayRepeat && kinds.some((kind) => kind !== NUMBER) ? COMPOSED : NUMBER;
}

function kindOfAttribute({ base, name }: Attribute, kinds: Kinds): Kind {
  if (base.kind === 'name' && base.name === 'loop' && /^(rev)?index0?$|^(length|depth0?|first|last)$/.test(name))
    return NUMBER;
  return worse(kindOf(base, kinds), kinds.get(`.${name}`) ?? DATA);
}

function kindOfCall({ callee, arguments: given }: Call, kinds: Kinds): Kind {
  const values = [...given.positional, ...given.named.map(([, value]) => value)].map((value) => kindOf(value, kinds));
  if (callee.kind === 'name') {
    if (callee.name === 'range') return NUMBER;
    if (callee.name === 'namespace') return given.positional.map((value) => kindOf(value, kinds)).reduce(worse, DATA);
    return callee.name === 'dict' ? values.reduce(worse, DATA) : COMPOSED;
  }
  if (callee.kind !== 'attribute') return COMPOSED;
  if (COUNTING.has(callee.name)) return NUMBER;
  if (COMPOSING.has(callee.name)) return COMPOSED;
  // What is read of a text by its place may be any part of it.
  if (callee.base.kind === 'text') return COMPOSED;
  return [kindOf(callee.base, kinds), ...values].reduce(worse, DATA);
}
