import { Datatype, ExternalLink, File, FS, Group, Dataset as Hdf5Dataset, type Metadata, Module, ready } from 'h5wasm';
import { createByteTexts } from './byteTexts.ts';
import { heapsOfExternalFiles } from './externalFiles.ts';
import type { Dataset, Outline, ReadNow } from './outline.ts';

/** Maximum number of groups and datasets that are listed. */
const MOST_OBJECTS = 10_000;
/** Maximum number of group levels that are entered: the library takes longer for each level than for the one before. */
const DEEPEST = 50;
/** Maximum number of characters in a group's path; groups with longer paths are not entered, for the same reason. */
const LONGEST_PATH = 16_384;
/** Cost per object and per attribute, in steps. Progress is reported every STEPS_PER_SIGN. */
const STEPS_PER_OBJECT = 5000;
const STEPS_PER_ATTRIBUTE = 6000;
/** Cost per link, and per level of its path, in steps. */
const STEPS_PER_LINK = 2000;
const STEPS_PER_LEVEL = 500;
const STEPS_PER_SIGN = 500_000;
/** Maximum number of characters in a text attribute; the longest is a model's configuration. */
const LONGEST_TEXT = 16 * 1024 * 1024;
/** Bytes of memory that the library may use. */
const MOST_MEMORY = 128 * 1024 * 1024;

/** Signature of a local heap, and the offsets at which an HDF5 file may start. */
const HEAP = Buffer.from('HEAP');
const STARTS = [0, ...Array.from({ length: 20 }, (_, index) => 512 * 2 ** index)];
/** Keras groups whose attributes describe the model. */
const DESCRIBING_GROUPS: readonly string[] = ['model_weights', 'layers'];

/** Reported for a dataset whose bytes are in another file. */
const ELSEWHERE = 'the bytes of a dataset -> a file that it names';

const PATH = '/checkpoint.h5';

const NOTHING: Outline = { datasets: [], attributes: {}, byteTexts: [], hasMoreTexts: false, marks: [], outside: [] };

/**
 * Lists the contents of an HDF5 file with the HDF Group's library, which cannot access any other file. `tell` receives
 * the work done since its last call, in budget steps.
 */
export async function outlineOf(
  size: number,
  read: ReadNow,
  tell: (steps: number) => void = () => {},
): Promise<Outline> {
  await ready;
  const heaps = new Set<number>();
  mount(size, (offset, length) => {
    const content = read(offset, length);
    for (const heap of heapsOfExternalFiles(content)) heaps.add(heap);
    return content;
  });
  const file = new File(PATH, 'r');
  try {
    if (file.file_id < 0n) return { ...NOTHING, trouble: 'is damaged or cut off' };
    const outline = walk(file, batched(tell));
    const isHeap = (at: number) => at + 4 <= size && Buffer.from(read(at, 4)).equals(HEAP);
    // Addresses are relative to the start of the file, which may follow a user block.
    const isOutside = [...heaps].some((heap) => STARTS.some((start) => isHeap(start + heap)));
    return isOutside ? { ...outline, outside: [...outline.outside, ELSEWHERE] } : outline;
  } finally {
    file.close();
    FS?.unlink(PATH);
  }
}

/** Mounts a file in the library's virtual file system, with bytes from `read`. */
function mount(size: number, read: ReadNow): void {
  if (!FS) throw new Error('the HDF5 library has no file system');
  FS.writeFile(PATH, '');
  const node = FS.lookupPath(PATH, {}).node as unknown as FileNode;
  node.usedBytes = size;
  node.stream_ops = {
    ...node.stream_ops,
    read(_stream, target, offset, length, position) {
      const content = read(position, length);
      target.set(content, offset);
      return content.length;
    },
  };
}

/** A file in Emscripten's memory, as defined in its `library_memfs.js`. */
interface FileNode {
  usedBytes: number;
  stream_ops: {
    read(stream: unknown, target: Uint8Array, offset: number, length: number, position: number): number;
  };
}

/** Returns a function that sums steps and reports them in large amounts. */
function batched(tell: (steps: number) => void): (steps: number) => void {
  let sum = 0;
  return (steps) => {
    sum += steps;
    if (sum < STEPS_PER_SIGN) return;
    tell(sum);
    sum = 0;
  };
}

function walk(file: File, spend: (steps: number) => void): Outline {
  const datasets: Dataset[] = [];
  const outside: string[] = [];
  const attributes: Record<string, Record<string, string>> = {};
  const texts = createByteTexts(spend);
  let trouble: string | undefined;
  const addTexts = ({ file_id, path }: Group | Hdf5Dataset | Datatype) => {
    const names = Module.get_attribute_names(file_id, path);
    spend(names.length * STEPS_PER_ATTRIBUTE);
    texts.addAttributes(file_id, path, names);
  };
  // From here on, the library throws its errors; until now it ignored them.
  Module.activate_throwing_error_handler();
  try {
    addTexts(file);
    attributes[''] = textsOf(file, spend);
    const { paths, isDeep } = pathsIn(file, spend);
    if (paths.length > MOST_OBJECTS) trouble = `contains more than ${MOST_OBJECTS} objects`;
    else if (isDeep) trouble = `contains groups in more than ${DEEPEST} levels or with paths that are too long`;
    for (const path of paths.slice(0, MOST_OBJECTS)) {
      spend(STEPS_PER_OBJECT);
      // A soft link may be dangling or circular. If its target is in the file, it is listed at its own path.
      const isSoftLink = Boolean(file.get_link(path));
      if (isSoftLink && !DESCRIBING_GROUPS.includes(path)) continue;
      const entity = file.get(path);
      if (entity instanceof Group && DESCRIBING_GROUPS.includes(path)) attributes[path] = textsOf(entity, spend);
      if (entity instanceof ExternalLink) outside.push(`${path} -> ${entity.filename}`);
      if (isSoftLink || !(entity instanceof Group || entity instanceof Datatype || entity instanceof Hdf5Dataset))
        continue;
      addTexts(entity);
      if (!(entity instanceof Hdf5Dataset)) continue;
      datasets.push(describe(path, entity, spend));
      const sources = new Set(entity.metadata.virtual_sources?.map(({ file_name }) => file_name));
      for (const source of sources) if (source !== '.') outside.push(`${path} -> ${source}`);
    }
  } catch (error) {
    trouble = error instanceof RangeError ? `has a text of more than ${LONGEST_TEXT / 1024 / 1024} MB` : 'is damaged';
  } finally {
    Module.deactivate_throwing_error_handler();
  }
  const [byteTexts, hasMoreTexts] = [texts.found, texts.isIncomplete()];
  return { datasets, attributes, byteTexts, hasMoreTexts, marks: [...texts.marks], outside, trouble };
}

/**
 * Returns the paths of everything in the file, without duplicates and sorted by name. A group with several paths is
 * entered once.
 */
function pathsIn(file: File, spend: (steps: number) => void): { paths: string[]; isDeep: boolean } {
  const paths: string[] = [];
  const entered = new Set<string>();
  let isDeep = false;
  const enter = (path: string, depth: number) => {
    const place = Buffer.from(Module.create_object_reference(file.file_id, path)).toString('hex');
    if (entered.has(place)) return;
    entered.add(place);
    if (depth > DEEPEST) isDeep = true;
    else
      for (const name of Module.get_names(file.file_id, path, false)) {
        const inner = `${path === '/' ? '' : path}/${name}`;
        spend(STEPS_PER_LINK + depth * STEPS_PER_LEVEL + inner.length);
        if (paths.length > MOST_OBJECTS) return;
        if (inner.length > LONGEST_PATH) {
          isDeep = true;
          continue;
        }
        paths.push(inner.slice(1));
        // A dangling link does not have a type.
        if (file.get_link(inner)) continue;
        if (file.get_type(inner) === Module.H5G_GROUP) enter(inner, depth + 1);
      }
  };
  enter('/', 0);
  return { paths, isDeep };
}

function describe(name: string, dataset: Hdf5Dataset, spend: (steps: number) => void): Dataset {
  const { metadata } = dataset;
  const shape = metadata.shape ?? [];
  const elements = metadata.shape ? shape.reduce((product, size) => product * size, 1) : 0;
  return { name, dtype: dtypeOf(metadata, dataset, spend), shape, bytes: elements * metadata.size };
}

function dtypeOf(metadata: Metadata, dataset: Hdf5Dataset, spend: (steps: number) => void): string {
  const { type, size, signed, enum_type } = metadata;
  switch (type) {
    case INTEGER:
      return `${signed ? 'int' : 'uint'}${size * 8}`;
    case FLOAT:
      return `float${size * 8}`;
    case STRING:
      return 'string';
    case ENUM:
      // h5py writes NumPy's booleans as an enumeration of these two.
      return Object.keys(enum_type?.members ?? {})
        .sort()
        .join() === 'FALSE,TRUE'
        ? 'bool'
        : 'enum';
    case COMPOUND:
      return complexOf(metadata) ?? 'compound';
    default:
      // If HDF5 lacks the element type, such as bfloat16, Keras stores it in an attribute.
      return textsOf(dataset, spend).dtype ?? OTHER_TYPES[type] ?? 'unknown';
  }
}

const INTEGER = 0;
const FLOAT = 1;
const STRING = 3;
const COMPOUND = 6;
const ENUM = 8;
const OTHER_TYPES: Readonly<Record<number, string>> = {
  4: 'bits',
  5: 'opaque',
  7: 'reference',
  9: 'list',
  10: 'array',
};

/**
 * Returns `complex64` for a pair of floats `r` and `i`, h5py's form of complex numbers; undefined for other compounds.
 */
function complexOf({ compound_type, size }: Metadata): string | undefined {
  const members = compound_type?.members ?? [];
  const isComplex =
    members.length === 2 &&
    members.every((member) => member.type === FLOAT && member.size * 2 === size) &&
    members[0]?.name === 'r' &&
    members[1]?.name === 'i';
  return isComplex ? `complex${size * 8}` : undefined;
}

/** Returns the attributes that are a single string, by name. */
function textsOf(object: Group | Hdf5Dataset, spend: (steps: number) => void): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const name of Module.get_attribute_names(object.file_id, object.path)) {
    spend(STEPS_PER_ATTRIBUTE);
    const { type, shape, total_size, size } = Module.get_attribute_metadata(object.file_id, object.path, name);
    if (type !== STRING || !shape || total_size !== 1) continue;
    if (size > LONGEST_TEXT) throw new RangeError('a text is too long');
    const value = object.get_attribute(name, true);
    const text = Array.isArray(value) ? value[0] : value;
    // An omitted text could be a model's configuration, so this must not go unnoticed.
    if (typeof text === 'string' && text.length > LONGEST_TEXT) throw new RangeError('a text is too long');
    if (typeof text === 'string') texts[name] = text;
  }
  return texts;
}

/** The parts of WebAssembly used here, which TypeScript declares for browsers only. */
interface WebAssemblyMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}
const { WebAssembly } = globalThis as unknown as { WebAssembly: { Memory: { prototype: WebAssemblyMemory } } };
const memory = WebAssembly.Memory.prototype;
const { grow } = memory;

// A damaged file may declare any length. A request beyond the limit fails as if no memory were left.
memory.grow = function (pages) {
  if (this.buffer.byteLength + pages * 65_536 > MOST_MEMORY) throw new RangeError('more memory than is allowed');
  return grow.call(this, pages);
};
