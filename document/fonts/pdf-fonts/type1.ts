/** The glyph names and the built-in encoding of a Type 1 program (Adobe Type 1 Font Format). */
export interface Type1Program {
  readonly glyphs: ReadonlySet<string>;
  /** Glyph names by code; undefined for StandardEncoding. */
  readonly encoding: (string | undefined)[] | undefined;
}

const [EEXEC_KEY, C1, C2] = [55_665, 52_845, 22_719] as const;

/** Reads a Type 1 program with its binary part encrypted as bytes or hex; undefined when it is not a Type 1 program. */
export function readType1(data: Uint8Array): Type1Program | undefined {
  const bytes = withoutSegments(data);
  const text = Buffer.from(bytes).toString('latin1');
  const at = text.indexOf('eexec');
  if (at < 0) return undefined;
  const clear = text.slice(0, at);
  let from = at + 5;
  while (
    from < bytes.length &&
    (bytes[from] === 0x20 || bytes[from] === 0x0a || bytes[from] === 0x0d || bytes[from] === 0x09)
  )
    from++;
  const hex = /^[\da-f\s]{8}/i.test(text.slice(from, from + 8));
  const cipher = hex ? Buffer.from(text.slice(from).replaceAll(/[^\da-f]/gi, ''), 'hex') : bytes.subarray(from);
  const plain = decrypted(cipher);
  const glyphs = new Set<string>();
  const strings = plain.indexOf('/CharStrings');
  if (strings < 0) return undefined;
  const glyph = /\/([^\s/{}[\]()<>%]+)\s+(\d+)\s+\S{1,3}\s/g;
  glyph.lastIndex = strings + 12;
  for (let match = glyph.exec(plain); match !== null; match = glyph.exec(plain)) {
    glyphs.add(match[1] ?? '');
    // Skips the glyph's bytes, which may contain anything.
    glyph.lastIndex += Number(match[2]);
  }
  return { glyphs, encoding: ownEncoding(clear) };
}

function ownEncoding(clear: string): (string | undefined)[] | undefined {
  const at = clear.indexOf('/Encoding');
  if (at < 0 || /^\/Encoding\s+StandardEncoding/.test(clear.slice(at, at + 40))) return undefined;
  const encoding: (string | undefined)[] = new Array<undefined>(256).fill(undefined);
  for (const [, code = '', name] of clear.slice(at).matchAll(/dup\s+(\d{1,3})\s*\/([^\s/{}[\]()<>%]+)\s+put/g))
    if (Number(code) < 256 && name !== '.notdef') encoding[Number(code)] = name;
  return encoding;
}

function decrypted(cipher: Uint8Array): string {
  const out = Buffer.alloc(cipher.length);
  let key = EEXEC_KEY as number;
  for (let i = 0; i < cipher.length; i++) {
    const byte = cipher[i]!;
    out[i] = byte ^ (key >> 8);
    key = ((byte + key) * C1 + C2) & 0xffff;
  }
  return out.toString('latin1', Math.min(4, out.length));
}

/** PFB files are split into segments with headers, which a PDF should not contain. */
function withoutSegments(data: Uint8Array): Uint8Array {
  if (data[0] !== 0x80) return data;
  const parts: Uint8Array[] = [];
  for (let at = 0; data[at] === 0x80 && (data[at + 1] === 1 || data[at + 1] === 2);) {
    const length = (data[at + 2] ?? 0) + (data[at + 3] ?? 0) * 256 + (data[at + 4] ?? 0) * 65_536;
    parts.push(data.subarray(at + 6, at + 6 + length));
    at += 6 + length;
  }
  return Buffer.concat(parts);
}
