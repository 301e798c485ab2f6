import { NONE, type Records } from './headers.js';

/** An entry of an index: its name, and the values of its tags. */
export interface IndexEntry {
  readonly name: string;
  readonly tags: ReadonlyMap<number, readonly number[]>;
}

/** An index with the texts that its entries name by number. */
export interface MobiIndex {
  readonly entries: readonly IndexEntry[];
  readonly texts: ReadonlyMap<number, Buffer>;
}

const MAX_ENTRIES = 200_000;

/** Reads an index (INDX, TAGX and IDXT parts) whose first record is `first`; what is damaged is left out. */
export function readIndex(records: Records, first: number): MobiIndex {
  const [entries, texts]: [IndexEntry[], Map<number, Buffer>] = [[], new Map()];
  const head = first === NONE ? Buffer.alloc(0) : records.record(first);
  if (!begins(head, 'INDX') || head.length < 56) return { entries, texts };
  const [length, parts, textRecords] = [
    head.readUInt32BE(4),
    Math.min(head.readUInt32BE(24), records.count),
    Math.min(head.readUInt32BE(52), records.count),
  ];
  const tagx = head.subarray(length);
  if (!begins(tagx, 'TAGX') || tagx.length < 12) return { entries, texts };
  const controlBytes = tagx.readUInt32BE(8);
  const table: [tag: number, values: number, mask: number, end: number][] = [];
  for (let at = 12; at + 4 <= Math.min(tagx.readUInt32BE(4), tagx.length); at += 4)
    table.push([tagx[at]!, tagx[at + 1]!, tagx[at + 2]!, tagx[at + 3]!]);
  for (let n = 1; n <= parts; n++) {
    const record = records.record(first + n);
    if (!begins(record, 'INDX') || record.length < 28) break;
    const [idxt, count] = [record.readUInt32BE(20), record.readUInt32BE(24)];
    for (let i = 0; i < count && entries.length < MAX_ENTRIES; i++) {
      const at = idxt + 4 + i * 2;
      if (at + 2 > record.length) break;
      const start = record.readUInt16BE(at);
      const end = i + 1 < count && at + 4 <= record.length ? record.readUInt16BE(at + 2) : idxt;
      const entry = readEntry(record.subarray(start, Math.max(start, end)), table, controlBytes);
      if (entry !== undefined) entries.push(entry);
    }
  }
  for (let n = 0; n < textRecords; n++) {
    const record = records.record(first + parts + 1 + n);
    for (let at = 0; at < record.length && texts.size < MAX_ENTRIES;) {
      const { value, size } = forward(record, at);
      texts.set(n * 0x10000 + at, record.subarray(at + size, at + size + value));
      at += size + value;
    }
  }
  return { entries, texts };
}

function readEntry(
  data: Buffer,
  table: readonly (readonly [number, number, number, number])[],
  controlBytes: number,
): IndexEntry | undefined {
  if (data.length === 0) return undefined;
  const nameLength = data[0]!;
  const control = data.subarray(1 + nameLength, 1 + nameLength + controlBytes);
  let at = 1 + nameLength + controlBytes;
  let byte = 0;
  const next = (): number => {
    const { value, size } = forward(data, at);
    at += size;
    return value;
  };
  const plan: { readonly tag: number; readonly each: number; readonly count?: number; readonly bytes?: number }[] = [];
  for (const [tag, each, mask, end] of table) {
    if ((end & 1) !== 0) {
      byte++;
      continue;
    }
    const value = (control[byte] ?? 0) & mask;
    if (value === 0) continue;
    if (value === mask && (mask & (mask - 1)) !== 0) plan.push({ tag, each, bytes: next() });
    else plan.push({ tag, each, count: value === mask ? 1 : value / (mask & -mask) });
  }
  const tags = new Map<number, number[]>();
  for (const { tag, each, count, bytes } of plan) {
    const values: number[] = [];
    const end = bytes === undefined ? data.length : Math.min(data.length, at + bytes);
    for (let left = count === undefined ? Infinity : count * each; left > 0 && at < end; left--) values.push(next());
    tags.set(tag, values);
  }
  return { name: data.subarray(1, 1 + nameLength).toString('latin1'), tags };
}

/** A number in seven bits a byte, the last one marked. */
function forward(data: Buffer, at: number): { readonly value: number; readonly size: number } {
  let value = 0;
  let size = 0;
  while (size < 4 && at + size < data.length) {
    const byte = data[at + size++]!;
    value = (value << 7) | (byte & 0x7f);
    if ((byte & 0x80) !== 0) break;
  }
  return { value, size: Math.max(1, size) };
}

function begins(data: Buffer, mark: string): boolean {
  return data.subarray(0, 4).toString('latin1') === mark;
}
