import { knownValue } from '../../stack/facts/facts.ts';
import { type Condition, onFacts, type ShownFact, shown } from './condition.ts';
import { notPrinted, verdictsOf } from './diagnosed.ts';
import { ranHere } from './ownInterpreter.ts';

/** torch's numbers about GPU memory in an out-of-memory message, in GiB; missing numbers are undefined. */
interface SaidMemory {
  readonly asked?: number;
  readonly total: number;
  readonly free?: number;
  /** Used by this program's tensors. */
  readonly allocated?: number;
  /** Used by this program, including its allocator's cache. */
  readonly held: number;
}

const GIB: Readonly<Record<string, number>> = { B: 2 ** -30, K: 2 ** -20, M: 2 ** -10, G: 1, T: 1024 };
const AMOUNT = '([\\d.]+) ?([KMGT]?)i?B(?:ytes)?';

/** The memory that CUDA itself uses in each program; torch before 2.1 does not count it. */
const CONTEXT = 0.5;

/** The formats of torch up to 2.0, and from 2.1 on. */
function memoryIn(text: string): SaidMemory | undefined {
  const amount = (pattern: string): number | undefined => {
    const [, value, unit] = new RegExp(pattern.replace('#', AMOUNT), 'i').exec(text) ?? [];
    return value === undefined ? undefined : Number(value) * (GIB[(unit ?? '').toUpperCase() || 'B'] ?? 0);
  };
  const total = amount('# total capacity') ?? amount('total capacity of #');
  const free = amount('; # free') ?? amount('of which # is free');
  if (total === undefined) return undefined;
  const allocated = amount('# already allocated') ?? amount('allocated memory # is allocated by PyTorch');
  const reserved = amount('# reserved in total');
  const cached = amount('; # cached');
  const counted = reserved ?? (allocated === undefined ? undefined : allocated + (cached ?? 0));
  const held = amount('this process has # memory in use') ?? (counted === undefined ? undefined : counted + CONTEXT);
  if (held === undefined) return undefined;
  return { asked: amount('tried to allocate #'), total, free, allocated, held };
}

const gib = (amount: number): string => `${amount.toFixed(1)} GiB`;

function onMemory(look: (memory: SaidMemory) => ShownFact | undefined): Condition {
  return ({ text }) => {
    const memory = memoryIn(text);
    return memory && look(memory);
  };
}

/** The share of the memory that must be used by other programs, or be idle, to be worth reporting. */
const MUCH = 0.2;

/** torch's own files in shared memory, the folder, and the signal of a page that does not fit there. */
const OF_SHARED_MEMORY = /<\/torch_\w*|\/dev\/shm\b|\bBus error|exitcode: -7\b/;

/** The system's own words for full shared memory, wherever the program ran. */
const NO_SPACE = /(?:<\/torch_|\/dev\/shm\b)[^\n]{0,200}(No space left on device)/;

/** Less shared memory is that of a container with Docker's default, or nearly as little. */
const LITTLE_SHARED = 1024;

/** Conditions on the GPU memory in a message, and on the main memory of this machine, by name. */
export const memoryConditions = {
  /** For output about shared memory. Enough of it excludes nothing unless a frame shows that the program ran here. */
  'little-shared-memory': (situation) => {
    const { facts, text } = situation;
    const full = NO_SPACE.exec(text)?.[1];
    const sign = full ?? OF_SHARED_MEMORY.exec(text)?.[0];
    const shared = (facts && knownValue(facts.memory)?.shared) ?? null;
    if (sign === undefined) return shown(false);
    const isLittle = shared !== null && shared < LITTLE_SHARED;
    if (!isLittle && (shared === null || full !== undefined)) return shown(true, `the text says "${sign}"`);
    return isLittle || ranHere(situation)
      ? shown(isLittle, `/dev/shm has ${shared} MiB (${facts?.memory.source})`)
      : undefined;
  },
  'asks-for-more-than-memory': onFacts(({ memory }, { parts }) => {
    const asked = Number.parseInt(parts.asked ?? '', 10) / 2 ** 30;
    const total = (knownValue(memory)?.total ?? Number.POSITIVE_INFINITY) / 1024;
    if (!(asked > total)) return undefined;
    return shown(true, `the program requests ${gib(asked)}, and there are ${gib(total)} (${memory.source})`);
  }),
  'others-hold-memory': (situation) => {
    const { total, free, held } = memoryIn(situation.text) ?? {};
    if (total === undefined || free === undefined || held === undefined) return notPrinted(situation);
    const others = total - free - held;
    return shown(
      others > MUCH * total,
      `according to the message, ${gib(Math.max(others, 0))} of ${gib(total)} are used by other programs`,
    );
  },
  /** A release of TensorFlow that leaves cuDNN no memory on this GPU. */
  'needs-memory-growth': (situation) => {
    const found = verdictsOf(['known-fault'], situation).find(({ remedies }) =>
      remedies.some(({ command }) => command?.includes('TF_FORCE_GPU_ALLOW_GROWTH')),
    );
    return found && shown(true, found.finding);
  },
  /** TensorFlow 1 reports the free memory before it allocates any. */
  'little-free-at-start': (situation) => {
    const { text } = situation;
    const [, total, free, unit] = /Total memory: ([\d.]+) ?GiB\s+Free memory: ([\d.]+) ?([MG])iB/.exec(text) ?? [];
    if (free === undefined) return notPrinted(situation);
    const isLittle = Number(free) * (GIB[unit ?? ''] ?? 0) < MUCH * Number(total);
    return isLittle
      ? shown(true, `according to the log, ${free} ${unit}iB of ${total} GiB were free at the start`)
      : undefined;
  },
  'memory-lies-idle': onMemory(({ asked = 0, total, allocated, held }) => {
    if (allocated === undefined) return undefined;
    const idle = held - allocated - CONTEXT;
    return shown(
      idle > MUCH * total && idle > asked,
      `according to the message, ${gib(Math.max(idle, 0))} are reserved and not allocated`,
    );
  }),
  'program-fills-memory': onMemory(({ total, held, free = total - held }) =>
    shown(
      held > (1 - 2 * MUCH) * total && total - free - held <= MUCH * total,
      `according to the message, this program itself uses ${gib(held)} of ${gib(total)}`,
    ),
  ),
} satisfies Record<string, Condition>;
