/** The kinds of values that a template's expressions can have, considering every value that its variables can take. */
import {
  type Binding,
  type ChatTemplate,
  type Filter,
  LOOP_ITEM,
  type TemplateArguments,
  type TemplateCall,
  type TemplateExpression,
} from './syntax.ts';

/**
 * A set of the bits below; 0 is a number, true, false or none. A list or a mapping has the bits of its items and at
 * least one bit. Anything that is not proven to be data is `OTHER`.
 */
type Kind = number;

const NUMBER = 0;
/** A literal string without an underscore: neither the string nor any part of it is one of Python's internal names. */
const WORD = 1;
/** A literal string that, as a whole, is not one of Python's internal names. */
const LITERAL = 2;
/** Messages, tools and other input of a chat, which the template's author does not control. */
const CHAT = 4;
/** Data that contains text which the file's author may have chosen. */
const COMPOSED = 8;
const NAMESPACE = 16;
/** Functions, macros, loops, and their attributes. */
const OTHER = 32;
const DATA_BITS: readonly Kind[] = [WORD, LITERAL, CHAT, COMPOSED];

/** True for an index that may be one of Python's internal attribute names, or that is not a name at all. */
export const mayBeAttributeName = (kind: Kind): boolean => (kind & (COMPOSED | NAMESPACE | OTHER)) !== 0;
export const mayNotBeData = (kind: Kind): boolean => (kind & (NAMESPACE | OTHER)) !== 0;
export const isChatInput = (kind: Kind): boolean => (kind & CHAT) !== 0;

/** A value that a method adds to a list; other names may refer to the same list. */
export interface Addition {
  readonly base: TemplateExpression;
  readonly value: TemplateExpression;
}

/** Names, besides data, that are provided by Jinja and by programs that run chat templates. */
const PROVIDED: ReadonlySet<string> = new Set(
  `caller cycler dict joiner kwargs lipsum loop namespace raise_exception range self strftime_now super
   varargs`.split(/\s+/),
);
/** Special tokens, such as `bos_token`, whose text comes from the file. */
const SPECIAL_TOKEN = /token/i;

const COUNTERS = /^((rev)?index0?|length|depth0?|first|last)$/;

/** Methods and filters that build new text, any part of which may be arbitrary. */
const COMPOSING: ReadonlySet<string> = new Set(
  `center e escape filesizeformat forceescape format indent join ljust pprint replace rjust string striptags sum tojson
   truncate urlencode urlize wordwrap xmlattr zfill`.split(/\s+/),
);
/** Methods and filters that return part of a string or change its case. */
const CHANGING: ReadonlySet<string> = new Set(
  `capitalize casefold lower lstrip partition removeprefix removesuffix reverse rpartition rsplit rstrip split splitlines
   strip swapcase title trim upper`.split(/\s+/),
);
/** Methods and filters that return numbers, true, false or none. */
const COUNTING: ReadonlySet<string> = new Set(
  `abs append count endswith extend find index insert isalnum isalpha isdecimal isdigit islower isnumeric isspace istitle
   isupper length rfind rindex round startswith wordcount`.split(/\s+/),
);
/** Filters that return an item or their input instead of a new list. */
const CHOOSING: ReadonlySet<string> = new Set('d default first float int last max min random'.split(' '));

/** Attributes of Python's frames, generators, functions and classes, which `jinja2/sandbox.py` also forbids. */
const INTROSPECTIVE =
  /^((gi|cr|ag)_(frame|code|yieldfrom|await|origin)|tb_(frame|next)|f_(back|builtins|code|globals|locals|trace|generator)|func_\w+|im_(class|func|self)|mro)$/;

/** True for an attribute name that data may have. */
export const isPlainAttribute = (name: string): boolean =>
  !name.startsWith('_') && !name.includes('__') && !name.includes('\\') && !INTROSPECTIVE.test(name);

/** A literal that is or contains one of Python's internal names is treated as computed. */
function kindOfText(source: string): Kind {
  if (/__|\\[^nrt\\'"]/.test(source) || source.startsWith('_') || INTROSPECTIVE.test(source)) return COMPOSED;
  return /[_\\]/.test(source) ? LITERAL : WORD;
}

const partOf = (kind: Kind): Kind => (kind & LITERAL ? kind | COMPOSED : kind);
const joined = (kinds: readonly Kind[]): Kind => kinds.reduce((one, other) => one | other, NUMBER);

/** True if a template redefines the name `loop`. */
export const isOwnLoop = ({ bindings, macros }: ChatTemplate): boolean =>
  [...bindings, ...macros].some(({ name }) => name === 'loop') ||
  macros.some(({ parameters }) => parameters.includes('loop'));

export interface Kinds {
  of(expression: TemplateExpression): Kind;
}

/** Maximum number of rounds to resolve names; a template that needs more defines names in circles. */
const MOST_ROUNDS = 10;

/**
 * Resolves the values that each name can have, wherever it is set. `bindings` also contains the arguments of macros.
 */
export function createKinds(
  bindings: readonly Binding[],
  additions: readonly Addition[],
  template: ChatTemplate,
): Kinds {
  const macros = new Set(template.macros.map(({ name }) => name));
  const hasOwnLoop = isOwnLoop(template);
  const bound = new Map<string, Kind>();
  /**
   * The kinds added to values that have each bit. Two names that refer to one list share the bits that the list started
   * with.
   */
  const added = new Map<Kind, Kind>(DATA_BITS.map((bit) => [bit, NUMBER]));

  const ofName = (name: string): Kind => {
    const always = PROVIDED.has(name) || macros.has(name) ? OTHER : SPECIAL_TOKEN.test(name) ? COMPOSED : NUMBER;
    return withAdded(always | (bound.get(name) ?? CHAT));
  };
  const withAdded = (kind: Kind): Kind =>
    additions.length === 0 ? kind : [...added].reduce((all, [bit, more]) => (kind & bit ? all | more : all), kind);

  const ofAttribute = (base: TemplateExpression, name: string): Kind => {
    if (!hasOwnLoop && base.kind === 'name' && base.name === 'loop') {
      if (COUNTERS.test(name)) return NUMBER;
      return /^(prev|next)item$/.test(name) ? withAdded(bound.get(LOOP_ITEM) ?? NUMBER) : OTHER;
    }
    const kind = of(base);
    const own = kind & NAMESPACE ? withAdded(bound.get(`.${name}`) ?? NUMBER) : NUMBER;
    return own | (kind & ~NAMESPACE);
  };

  const ofItem = (base: TemplateExpression, index: TemplateExpression): Kind => {
    if (index.kind === 'text') return ofAttribute(base, index.source);
    const kind = of(base);
    return kind & NAMESPACE ? OTHER : kind;
  };

  const ofArguments = ({ positional, named }: TemplateArguments): Kind =>
    joined([...positional, ...named.map(([, value]) => value)].map(of));

  const ofCall = ({ callee, arguments: given }: TemplateCall): Kind => {
    if (callee.kind === 'name') {
      if (callee.name === 'range') return WORD;
      if (callee.name === 'namespace') return NAMESPACE;
      return callee.name === 'dict' ? WORD | ofArguments(given) : COMPOSED;
    }
    if (callee.kind !== 'attribute') return OTHER;
    if (COUNTING.has(callee.name) || callee.name === 'changed') return NUMBER;
    if (COMPOSING.has(callee.name)) return COMPOSED;
    if (callee.name === 'cycle') return ofArguments(given);
    // The separator is one of the parts.
    if (/partition$/.test(callee.name)) return partOf(of(callee.base) | ofArguments(given));
    return CHANGING.has(callee.name) ? partOf(of(callee.base)) : of(callee.base) | ofArguments(given);
  };

  const ofFilter = ({ base, name, arguments: given }: Filter): Kind => {
    const [mapped] = name === 'map' ? given.positional : [];
    const inner = mapped?.kind === 'text' ? mapped.source : name;
    const kind = of(base) | ofArguments(given);
    const isOne = name === inner && (CHOOSING.has(name) || COUNTING.has(name));
    const list = isOne ? NUMBER : WORD;
    if (COUNTING.has(inner)) return list;
    if (COMPOSING.has(inner)) return COMPOSED;
    if (inner === 'int' || inner === 'float') return list | ofArguments(given);
    if (CHANGING.has(inner)) return list | partOf(kind);
    // Filters also read attributes of their items.
    return list | kind | (kind & NAMESPACE && inner !== 'default' && inner !== 'd' ? OTHER : NUMBER);
  };

  const of = (expression: TemplateExpression): Kind => {
    switch (expression.kind) {
      case 'number':
      case 'truth':
      case 'test':
        return NUMBER;
      case 'block':
        return COMPOSED;
      case 'text':
        return kindOfText(expression.source);
      case 'name':
        return ofName(expression.name);
      case 'collection':
        return WORD | joined(expression.items.map(of));
      case 'choice':
        return joined(expression.items.map(of));
      case 'arithmetic':
        return kindOfArithmetic(expression.operators, expression.items.map(of));
      case 'attribute':
        return ofAttribute(expression.base, expression.name);
      case 'subscript':
        return ofItem(expression.base, expression.index);
      case 'slice':
        return partOf(of(expression.base));
      case 'call':
        return ofCall(expression);
      case 'filter':
        return ofFilter(expression);
    }
  };

  const ofBinding = ({ value, isItem }: Binding): Kind => (isItem && isRange(value) ? NUMBER : of(value));

  for (let round = 0; round < MOST_ROUNDS; round++) {
    let hasChanged = false;
    for (const binding of bindings) {
      const before = bound.get(binding.name);
      const now = (before ?? NUMBER) | ofBinding(binding);
      if (now === before) continue;
      bound.set(binding.name, now);
      hasChanged = true;
    }
    for (const { base, value } of additions) {
      const kind = of(base);
      for (const [bit, before] of added) {
        const now = kind & bit ? before | of(value) : before;
        if (now === before) continue;
        added.set(bit, now);
        hasChanged = true;
      }
    }
    if (!hasChanged) return { of };
  }
  for (const { name } of bindings) bound.set(name, COMPOSED | NAMESPACE | OTHER);
  for (const bit of DATA_BITS) added.set(bit, OTHER);
  return { of };
}

const isRange = (value: TemplateExpression): boolean =>
  value.kind === 'call' && value.callee.kind === 'name' && value.callee.name === 'range';

function kindOfArithmetic(operators: ReadonlySet<string>, kinds: readonly Kind[]): Kind {
  if (operators.has('~')) return COMPOSED;
  if (kinds.every((kind) => kind === NUMBER)) return NUMBER;
  // A sum with a number is a number. `+` joins strings, `*` repeats them, `%` formats them.
  const isSum = operators.has('+') || (operators.has('-') && kinds.length > 1);
  if (isSum && kinds.includes(NUMBER)) return NUMBER;
  // Sets of keys can be subtracted.
  return operators.has('+') || operators.has('*') || operators.has('%') ? COMPOSED | joined(kinds) : joined(kinds);
}
