/** An element of DER for tests: its identifier byte, its content, and all of it. */
interface Part {
  readonly tag: number;
  readonly content: Buffer;
  readonly raw: Buffer;
}

/** The elements in a row of DER. */
function parts(bytes: Buffer): Part[] {
  const found: Part[] = [];
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at + 1]!;
    const size = first < 0x80 ? 0 : first & 0x7f;
    const length = size === 0 ? first : bytes.readUIntBE(at + 2, size);
    const [start, end] = [at + 2 + size, at + 2 + size + length];
    found.push({ tag: bytes[at]!, content: bytes.subarray(start, end), raw: bytes.subarray(at, end) });
    at = end;
  }
  return found;
}

function element(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const length = content.reduce((sum, { length: one }) => sum + one, 0);
  return Buffer.concat([Buffer.from([tag, 0x83, length >> 16, (length >> 8) & 0xff, length & 0xff]), ...content]);
}

/** The same in BER down to a depth: indefinite lengths, octet strings in two pieces. */
function loose({ tag, content, raw }: Part, depth: number): Buffer {
  if (depth === 0) return raw;
  const [begin, end] = [Buffer.from([tag, 0x80]), Buffer.alloc(2)];
  if (tag === 0x04 && content.length > 8) {
    const pieces = [content.subarray(0, 5), content.subarray(5)].map((piece) => element(0x04, piece));
    return Buffer.concat([Buffer.from([0x24, 0x80]), ...pieces, end]);
  }
  return (tag & 0x20) === 0
    ? raw
    : Buffer.concat([begin, ...parts(content).map((part) => loose(part, depth - 1)), end]);
}

/** The parts of a CMS and of its SignedData. */
function opened(cms: Buffer): { readonly type: Part; readonly fields: readonly Part[] } {
  const [type, wrapper] = parts(parts(cms)[0]!.content);
  return { type: type!, fields: parts(parts(wrapper!.content)[0]!.content) };
}

/** A CMS in BER down to a depth, but for its certificates, whose own signatures are over their bytes. */
export function inBer(cms: Buffer, depth = Infinity): Buffer {
  const { type, fields } = opened(cms);
  const end = Buffer.alloc(2);
  const data = fields.map((field) =>
    field.tag === 0xa0 ? Buffer.concat([Buffer.from([0xa0, 0x80]), field.content, end]) : loose(field, depth),
  );
  return Buffer.concat([
    Buffer.from([0x30, 0x80]),
    type.raw,
    Buffer.from([0xa0, 0x80, 0x30, 0x80]),
    ...data,
    end,
    end,
    end,
  ]);
}

/** A CMS without its certificates, and these in DER. */
export function bare(cms: Buffer): { readonly cms: Buffer; readonly certificates: readonly Buffer[] } {
  const { type, fields } = opened(cms);
  const certificates = fields.filter(({ tag }) => tag === 0xa0).flatMap(({ content }) => parts(content));
  const rest = fields.filter(({ tag }) => tag !== 0xa0).map(({ raw }) => raw);
  return {
    cms: element(0x30, type.raw, element(0xa0, element(0x30, ...rest))),
    certificates: certificates.map(({ raw }) => raw),
  };
}

/** A PDF with another value in the place of its last signature; zeros fill the rest of it. */
export function withValue(pdf: Uint8Array, change: (cms: Buffer) => Buffer): Buffer {
  const text = Buffer.from(pdf).toString('latin1');
  const found = [...text.matchAll(/\/Contents\s*<([\da-f]+)>/gi)].at(-1)!;
  const [digits, at] = [found[1]!, found.index + found[0].length - 1 - found[1]!.length];
  const value = Buffer.from(digits, 'hex');
  const cms = parts(value)[0]!.raw;
  const changed = change(Buffer.from(cms)).toString('hex');
  if (changed.length > digits.length) throw new Error(`the place of the signature is ${digits.length} digits long`);
  return Buffer.from(text.slice(0, at) + changed.padEnd(digits.length, '0') + text.slice(at + digits.length), 'latin1');
}
