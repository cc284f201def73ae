/**
 * Measures the inspection of large checkpoints: sparse files of 10 GB, and one with 100,000 tensors. The bounds are the
 * project's own; they are printed, not enforced, because machines differ.
 */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, truncateSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBudget } from '../../server/src/checkpoint/budget.ts';
import { type Bytes, withFile } from '../../server/src/checkpoint/bytes.ts';
import { readBytes } from '../../server/src/checkpoint/read.ts';
import { sized } from './size.ts';
import { torchFile } from './torchFile.ts';

const HOLE_BYTES = 10 * 1024 ** 3;
const ROUNDS = sized(9, 1);

const folder = mkdtempSync(join(tmpdir(), 'gpu-doctor-bench-'));

/** Writes parts at their offsets into a sparse file. */
function sparse(name: string, parts: readonly (readonly [offset: number, content: Buffer])[], size = 0): string {
  const path = join(folder, name);
  const file = openSync(path, 'w');
  for (const [offset, content] of parts) writeSync(file, content, 0, content.length, offset);
  closeSync(file);
  if (size > 0) truncateSync(path, size);
  return path;
}

/** Reads a file repeatedly, and prints the median time and the number of bytes read. */
async function time(
  name: string,
  path: string,
  bound: { readonly ms: number; readonly bytes?: number; readonly factor?: number },
): Promise<void> {
  const times: number[] = [];
  let count = 0;
  let tensors = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    count = 0;
    const checkpoint = await withFile(path, (bytes) =>
      readBytes(
        counted(bytes, (length) => (count += length)),
        undefined,
        createBudget(bound.factor),
      ),
    );
    tensors = checkpoint.tensors.length;
    if (checkpoint.problems.length > 0) throw new Error(checkpoint.problems.join(' '));
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const median = times[Math.floor(ROUNDS / 2)] ?? 0;
  const isMet = median <= bound.ms && count <= (bound.bytes ?? Number.POSITIVE_INFINITY);
  const bounds = `${bound.ms} ms${bound.bytes ? `, ${bound.bytes / 1e6} MB` : ''}`;
  console.log(
    `${name.padEnd(26)} median ${median.toFixed(1).padStart(6)} ms   read ${(count / 1e6).toFixed(2).padStart(6)} MB   ` +
      `bound ${bounds}: ${isMet ? 'met' : 'MISSED'}   (${tensors} tensors)`,
  );
}

function counted(bytes: Bytes, count: (length: number) => void): Bytes {
  return {
    size: bytes.size,
    async read(offset, length) {
      const content = await bytes.read(offset, length);
      count(content.length);
      return content;
    },
  };
}

const weights = torchFile(200, HOLE_BYTES);
await time('torch, 10 GB', sparse('torch.pt', weights), { ms: 50, bytes: 2_000_000 });

// A length whose bytes no unpickler mistakes for a number, whose line would not end within the hole.
const header = Buffer.from(
  JSON.stringify({ w: { dtype: 'U8', shape: [HOLE_BYTES], data_offsets: [0, HOLE_BYTES] } }).padEnd(123),
);
const length = Buffer.alloc(8);
length.writeBigUInt64LE(BigInt(header.length));
const safetensors = sparse('model.safetensors', [[0, Buffer.concat([length, header])]], 8 + header.length + HOLE_BYTES);
await time('safetensors, 10 GB', safetensors, { ms: 50, bytes: 2_000_000 });

// Its library is loaded again for each file, which takes most of the time.
const model = readFileSync(join(import.meta.dirname, '../checkpoint/fixtures/keras/model.h5'));
// The end-of-file address in a version 0 superblock.
model.writeBigUInt64LE(BigInt(HOLE_BYTES), 40);
await time('HDF5, 10 GB', sparse('model.h5', [[0, model]], HOLE_BYTES), { ms: 500, bytes: 2_000_000 });

// More than an inspection allows by default.
await time('torch, 100,000 tensors', sparse('many.pt', torchFile(sized(100_000, 10))), { ms: 1000, factor: 2 });

await time('torch, 50,000 tensors', sparse('some.pt', torchFile(sized(50_000, 10))), { ms: 1000 });

rmSync(folder, { recursive: true });
