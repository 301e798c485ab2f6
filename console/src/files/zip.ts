/** One file of a zip. */
export interface ZipEntry {
  readonly name: string;
  /** Bytes when unpacked. */
  readonly size: number;
  read(): Promise<Blob>;
}

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
/** The end record has 22 bytes and a comment of at most 65,535. */
const END_BYTES = 22 + 65_535;

/** Lists the files of a zip (APPNOTE 4.3), without unpacking them. Throws for zips beyond 4 GB (Zip64). */
export async function readZip(zip: Blob): Promise<readonly ZipEntry[]> {
  const tailAt = Math.max(0, zip.size - END_BYTES);
  const tail = await viewOf(zip.slice(tailAt));
  let end = tail.byteLength - 22;
  while (end >= 0 && tail.getUint32(end, true) !== END) end--;
  if (end < 0) throw new Error('not a zip');
  const count = tail.getUint16(end + 10, true);
  const start = tail.getUint32(end + 16, true);
  if (start === 0xffffffff || count === 0xffff) throw new Error('Zip64');
  const directory = await viewOf(zip.slice(start, start + tail.getUint32(end + 12, true)));
  const entries: ZipEntry[] = [];
  for (let at = 0; at + 46 <= directory.byteLength && directory.getUint32(at, true) === CENTRAL;) {
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => directory.getUint16(at + offset, true)) as [
      number,
      number,
      number,
    ];
    const name = new TextDecoder().decode(new Uint8Array(directory.buffer, at + 46, nameLength));
    const packed = directory.getUint32(at + 20, true);
    const method = directory.getUint16(at + 10, true);
    const local = directory.getUint32(at + 42, true);
    if (!name.endsWith('/'))
      entries.push({
        name,
        size: directory.getUint32(at + 24, true),
        read: () => unpack(zip, local, packed, method),
      });
    at += 46 + nameLength + extra + comment;
  }
  return entries;
}

async function unpack(zip: Blob, at: number, packed: number, method: number): Promise<Blob> {
  const head = await viewOf(zip.slice(at, at + 30));
  if (head.getUint32(0, true) !== LOCAL) throw new Error('not a zip');
  const start = at + 30 + head.getUint16(26, true) + head.getUint16(28, true);
  const bytes = zip.slice(start, start + packed);
  if (method === 0) return bytes;
  return new Response(bytes.stream().pipeThrough(new DecompressionStream('deflate-raw'))).blob();
}

async function viewOf(blob: Blob): Promise<DataView> {
  return new DataView(await blob.arrayBuffer());
}

/** Packs files into a zip without compressing them; PDFs and images are compressed already. At most 4 GB. */
export async function writeZip(files: readonly { readonly name: string; readonly blob: Blob }[]): Promise<Blob> {
  const parts: (Blob | Uint8Array<ArrayBuffer>)[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let at = 0;
  for (const { name, blob } of files) {
    const title = new TextEncoder().encode(name);
    const crc = await crc32(blob);
    const head = record(LOCAL, 30, title, (view) => describe(view, 4, crc, blob.size, title.length));
    const offset = at;
    directory.push(
      record(CENTRAL, 46, title, (view) => {
        view.setUint16(4, 20, true);
        describe(view, 6, crc, blob.size, title.length);
        view.setUint32(42, offset, true);
      }),
    );
    parts.push(head, blob);
    at += head.length + blob.size;
  }
  const length = directory.reduce((sum, entry) => sum + entry.length, 0);
  const end = record(END, 22, new Uint8Array(), (view) => {
    view.setUint16(8, files.length, true);
    view.setUint16(10, files.length, true);
    view.setUint32(12, length, true);
    view.setUint32(16, at, true);
  });
  return new Blob([...parts, ...directory, end], { type: 'application/zip' });
}

function record(mark: number, size: number, name: Uint8Array, fill: (view: DataView) => void): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size + name.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, mark, true);
  fill(view);
  bytes.set(name, size);
  return bytes;
}

/** The members that local and central headers share; names are UTF-8 (bit 11). */
function describe(view: DataView, at: number, crc: number, size: number, nameLength: number): void {
  view.setUint16(at, 20, true);
  view.setUint16(at + 2, 0x0800, true);
  view.setUint16(at + 8, 0x21, true);
  view.setUint32(at + 10, crc, true);
  view.setUint32(at + 14, size, true);
  view.setUint32(at + 18, size, true);
  view.setUint16(at + 22, nameLength, true);
}

let table: Uint32Array | undefined;

async function crc32(blob: Blob): Promise<number> {
  table ??= Uint32Array.from({ length: 256 }, (_, n) => {
    let value = n;
    for (let k = 0; k < 8; k++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
    return value;
  });
  let crc = 0xffffffff;
  const reader = blob.stream().getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read())
    for (const byte of part.value) crc = table[(crc ^ byte) & 0xff]! ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
