/** Tables of a font file, by their tags (OpenType, Organization of an OpenType Font). */
export type FontTables = ReadonlyMap<string, Buffer>;

/** Reads the tables of a TrueType file. */
export function tablesOf(program: Uint8Array): FontTables {
  const file = Buffer.from(program.buffer, program.byteOffset, program.byteLength);
  return new Map(
    Array.from({ length: file.readUInt16BE(4) }, (_, index) => {
      const at = 12 + index * 16;
      const start = file.readUInt32BE(at + 8);
      return [file.toString('latin1', at, at + 4), file.subarray(start, start + file.readUInt32BE(at + 12))] as const;
    }),
  );
}

/** Returns a table that every TrueType font has. */
export function tableOf(tables: FontTables, tag: string): Buffer {
  const table = tables.get(tag);
  if (table === undefined) throw new Error(`the font has no table ${tag}`);
  return table;
}

/** Calls `found` for each character of the Unicode part of a cmap (formats 4 and 12) with the number of its glyph. */
export function eachCharacter(cmap: Buffer, found: (codePoint: number, glyph: number) => void): void {
  const parts = Array.from({ length: cmap.readUInt16BE(2) }, (_, index) => cmap.readUInt32BE(4 + index * 8 + 4));
  for (const at of new Set(parts)) {
    const format = cmap.readUInt16BE(at);
    if (format === 4) eachOfSegments(cmap.subarray(at), found);
    else if (format === 12)
      for (let group = at + 16; group < at + 16 + cmap.readUInt32BE(at + 12) * 12; group += 12) {
        const [first, last, glyph] = [0, 4, 8].map((offset) => cmap.readUInt32BE(group + offset)) as [
          number,
          number,
          number,
        ];
        for (let codePoint = first; codePoint <= last; codePoint++) found(codePoint, glyph + codePoint - first);
      }
  }
}

function eachOfSegments(part: Buffer, found: (codePoint: number, glyph: number) => void): void {
  const doubled = part.readUInt16BE(6);
  const [ends, starts] = [14, 16 + doubled];
  for (let segment = 0; segment < doubled; segment += 2) {
    const first = part.readUInt16BE(starts + segment);
    const delta = part.readUInt16BE(starts + doubled + segment);
    const rangeAt = starts + 2 * doubled + segment;
    const range = part.readUInt16BE(rangeAt);
    for (let codePoint = first; codePoint <= part.readUInt16BE(ends + segment) && codePoint < 0xffff; codePoint++) {
      const named = range === 0 ? codePoint : part.readUInt16BE(rangeAt + range + 2 * (codePoint - first));
      if (range === 0 || named !== 0) found(codePoint, (named + delta) & 0xffff);
    }
  }
}

/** A cmap of format 12 alone. `glyphs`: glyphs by character. */
export function cmapOf(glyphs: ReadonlyMap<number, number>): Buffer {
  const groups: [first: number, last: number, glyph: number][] = [];
  for (const [codePoint, glyph] of [...glyphs].toSorted(([a], [b]) => a - b)) {
    const group = groups.at(-1);
    if (group !== undefined && group[1] === codePoint - 1 && group[2] + codePoint - group[0] === glyph)
      group[1] = codePoint;
    else groups.push([codePoint, codePoint, glyph]);
  }
  const table = Buffer.alloc(28 + groups.length * 12);
  // One part, for Windows and all of Unicode.
  [0, 1, 3, 10].forEach((value, index) => table.writeUInt16BE(value, index * 2));
  [12, 12 << 16, 16 + groups.length * 12, 0, groups.length].forEach((value, index) =>
    table.writeUInt32BE(value, 8 + index * 4),
  );
  groups.flat().forEach((value, index) => table.writeUInt32BE(value, 28 + index * 4));
  return table;
}

/** The names of a regular font (OpenType, name); copyright and licence are kept from `source`. */
export function nameTable(family: string, source: Buffer): Buffer {
  const postScript = `${family.replaceAll(' ', '')}-Regular`;
  const names = new Map([
    [1, family],
    [2, 'Regular'],
    [3, postScript],
    [4, family],
    [5, 'Version 1.000'],
    [6, postScript],
  ]);
  const texts = source.readUInt16BE(4);
  for (let at = 6; at < 6 + source.readUInt16BE(2) * 12; at += 12) {
    const id = source.readUInt16BE(at + 6);
    const start = texts + source.readUInt16BE(at + 10);
    const text = source.subarray(start, start + source.readUInt16BE(at + 8));
    if ([0, 13, 14].includes(id) && source.readUInt16BE(at) === 3)
      names.set(id, new TextDecoder('utf-16be').decode(text));
  }
  const records = [...names].toSorted(([a], [b]) => a - b);
  const head = Buffer.alloc(6 + records.length * 12);
  head.writeUInt16BE(records.length, 2);
  head.writeUInt16BE(head.length, 4);
  let offset = 0;
  const stored = records.map(([id, name], index) => {
    const text = Buffer.from(name, 'utf16le').swap16();
    [3, 1, 0x409, id, text.length, offset].forEach((value, field) =>
      head.writeUInt16BE(value, 6 + index * 12 + field * 2),
    );
    offset += text.length;
    return text;
  });
  return Buffer.concat([head, ...stored]);
}
