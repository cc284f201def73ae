import { gpuNamed, type ReportReader } from './report.ts';

/** Column names in the first row of the table: "name, driver_version, memory.total [MiB]". */
const HEADER =
  /^[ \t]*((?:[a-z][\w.]*(?: \[[\w%]+\])?, ?)*(?:name|driver_version)(?:, ?[a-z][\w.]*(?: \[[\w%]+\])?)*)[ \t]*$/m;

const NAME = /^(?:NVIDIA|GeForce|Tesla|Quadro|TITAN|GRID|[A-Z]{1,2}\d{1,3}\b)/;
const DRIVER = /^\d{3}\.[\d.]*\d$/;

/** `nvidia-smi --query-gpu=name,driver_version --format=csv`. */
export const readNvidiaSmiQuery: ReportReader = (text) => {
  const header = HEADER.exec(text);
  const columns = header?.[1]?.split(/, ?/) ?? [];
  if (header === null || columns.length < 2) return undefined;
  const lines = text.slice(header.index + header[0].length + 1).split('\n');
  const cells = lines.map((line) => line.trim().split(', '));
  const end = cells.findIndex((row) => row.length !== columns.length);
  const rows = cells
    .slice(0, end < 0 ? undefined : end)
    .map((row) => new Map(columns.map((name, at) => [name, row[at]])));
  const gpus = rows.flatMap((row, index) => {
    const name = row.get('name') ?? '';
    if (!NAME.test(name)) return [];
    const gpu = gpuNamed(name, index);
    return [{ ...gpu, computeCapability: row.get('compute_cap')?.match(/^\d+\.\d$/)?.[0] ?? gpu.computeCapability }];
  });
  const driver = rows[0]?.get('driver_version')?.match(DRIVER)?.[0];
  if (gpus.length === 0 && driver === undefined) return undefined;
  return { program: 'nvidia-smi', at: header.index, ...(driver && { driver }), ...(gpus.length > 0 && { gpus }) };
};
