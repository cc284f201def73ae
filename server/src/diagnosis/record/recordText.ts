import { Document, isMap, isScalar, parseDocument, visit, type YAMLMap } from 'yaml';
import type { RecordedStack } from './recordedStack.ts';
import { RECORD_FILE } from './recordFile.ts';

const HEADER = ` The GPU stack that this project is known to work with, recorded by GPU Doctor.
 Differences on this machine are shown here in the editor, and by: gpu-doctor stack --compare ${RECORD_FILE} live
 Only what is written here is compared, so remove what does not matter. To record it again: gpu-doctor stack --record`;

/** Comments on parts that need an explanation. */
const COMMENTS: Readonly<Record<string, string>> = {
  'driver-cuda': ' The newest CUDA that the driver supports; it says nothing about installed toolkits.',
  packages: ' Exact versions of other packages that matter to the stack.',
};

/** The file's text; the same stack always gives the same text. */
export function writeRecord(record: RecordedStack): string {
  const document = new Document(record, { schema: 'failsafe' });
  document.commentBefore = HEADER;
  if (!isMap(document.contents)) return textOf(document);
  for (const [index, { key }] of document.contents.items.entries()) {
    if (!isScalar(key)) continue;
    const name = String(key.value);
    const comment = COMMENTS[name];
    if (comment) key.commentBefore = comment;
    key.spaceBefore = index > 0 && name !== 'driver-cuda';
  }
  return textOf(document);
}

/**
 * Returns an existing file with the record's values; its comments are kept. Undefined if it cannot be read as a record
 * and must be replaced.
 */
export function rewriteRecord(text: string, record: RecordedStack): string | undefined {
  const document = parseDocument(text, { schema: 'failsafe' });
  if (document.errors.length > 0) return undefined;
  if (document.contents === null) return writeRecord(record);
  if (!isMap(document.contents)) return undefined;
  takeOver(document, document.contents, record);
  return textOf(document);
}

/** Updates a mapping to the given values, in place: remaining keys keep their position and their comments. */
function takeOver(document: Document.Parsed, map: YAMLMap, values: object): void {
  const wanted = new Map(Object.entries(values));
  for (const { key } of [...map.items]) if (!wanted.has(String(key))) map.delete(key);
  for (const [key, value] of wanted) {
    const now = map.get(key, true) as unknown;
    if (isMap(now) && typeof value === 'object' && !Array.isArray(value)) takeOver(document, now, value);
    else if (isScalar(now) && typeof value === 'string') now.value = value;
    else if (JSON.stringify(now) !== JSON.stringify(value)) map.set(key, document.createNode(value));
  }
}

/** Quotes versions that other YAML readers would parse as numbers, turning 12.10 into 12.1. */
function textOf(document: Document | Document.Parsed): string {
  visit(document, {
    Scalar(_, scalar) {
      const text = String(scalar.value);
      if (/^\d+\.\d+$/.test(text)) scalar.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0 });
}
