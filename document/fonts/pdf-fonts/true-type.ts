/** Characters that are looked up for a font at most, all of Unicode: its ranges may overlap thousands of times. */
const MAX_LOOKUPS = 0x110000;

/**
 * Reads codes, names and outlines from the tables of a TrueType program (Apple TrueType Reference Manual). Broken
 * tables count as absent.
 */
export class TrueType {
  readonly #view: DataView;
  readonly #tables = new Map<string, { readonly offset: number; readonly length: number }>();
  readonly #maps: { readonly platform: number; readonly encoding: number; readonly offset: number }[] = [];
  #names: Map<string, number> | undefined;
  #texts: ReadonlyMap<number, string> | undefined;
  readonly glyphs: number;
  readonly #longOffsets: boolean;
  readonly unitsPerEm: number;

  constructor(data: Uint8Array) {
    this.#view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    const count = this.#u16(4);
    for (let i = 0; i < Math.min(count, 64); i++) {
      const at = 12 + i * 16;
      const tag = Array.from({ length: 4 }, (_unused, j) => String.fromCharCode(this.#u8(at + j))).join('');
      this.#tables.set(tag, { offset: this.#u32(at + 8), length: this.#u32(at + 12) });
    }
    const head = this.#tables.get('head');
    const maxp = this.#tables.get('maxp');
    this.#longOffsets = head !== undefined && this.#u16(head.offset + 50) === 1;
    this.unitsPerEm = (head === undefined ? 0 : this.#u16(head.offset + 18)) || 1000;
    this.glyphs = maxp === undefined ? 0 : this.#u16(maxp.offset + 4);
    const cmap = this.#tables.get('cmap');
    if (cmap === undefined) return;
    for (let i = 0; i < Math.min(this.#u16(cmap.offset + 2), 32); i++) {
      const at = cmap.offset + 4 + i * 8;
      this.#maps.push({
        platform: this.#u16(at),
        encoding: this.#u16(at + 2),
        offset: cmap.offset + this.#u32(at + 4),
      });
    }
  }

  /** True when the glyph is in the program and has an outline; true for every glyph of a program with CFF outlines. */
  hasOutline(glyph: number): boolean {
    if (glyph < 0 || glyph >= this.glyphs) return false;
    const loca = this.#tables.get('loca');
    if (loca === undefined) return this.#tables.has('CFF ');
    const [from, to] = this.#longOffsets
      ? [this.#u32(loca.offset + glyph * 4), this.#u32(loca.offset + glyph * 4 + 4)]
      : [this.#u16(loca.offset + glyph * 2), this.#u16(loca.offset + glyph * 2 + 2)];
    return to > from;
  }

  /** The glyph of a code in one of the program's maps (platform, encoding); 0 when there is none. */
  glyphOf(platform: number, encoding: number, code: number): number {
    const map = this.#maps.find((one) => one.platform === platform && one.encoding === encoding);
    return map === undefined ? 0 : this.#lookUp(map.offset, code);
  }

  /** The glyph of a character in any Unicode map of the program; 0 when there is none. */
  glyphOfUnicode(point: number): number {
    for (const { platform, encoding, offset } of this.#maps) {
      if (platform !== 0 && !(platform === 3 && (encoding === 1 || encoding === 10))) continue;
      const glyph = this.#lookUp(offset, point);
      if (glyph !== 0) return glyph;
    }
    return 0;
  }

  /** Characters by glyph, from the program's Unicode map; for fonts without a ToUnicode map. */
  texts(): ReadonlyMap<number, string> {
    const texts = new Map<number, string>();
    let left = MAX_LOOKUPS;
    for (const { platform, encoding, offset } of this.#maps) {
      if (platform !== 0 && !(platform === 3 && (encoding === 1 || encoding === 10))) continue;
      for (const [first, last] of this.#ranges(offset)) {
        for (let point = Math.max(first, 0x20); point <= last && texts.size < 65_536; point++) {
          if (left-- <= 0) return texts;
          const glyph = point >= 0xd800 && point < 0xe000 ? 0 : this.#lookUp(offset, point);
          if (glyph !== 0 && !texts.has(glyph)) texts.set(glyph, String.fromCodePoint(point));
        }
      }
    }
    return texts;
  }

  /**
   * The text of a glyph in the program's Unicode map: `likely` if the map leads from it to this glyph (several
   * characters may), undefined if the map has none for it.
   */
  textOf(glyph: number, likely: string): string | undefined {
    if (glyph === 0) return undefined;
    const [point, ...more] = likely;
    if (point !== undefined && more.length === 0 && this.glyphOfUnicode(point.codePointAt(0)!) === glyph) return likely;
    this.#texts ??= this.texts();
    return this.#texts.get(glyph);
  }

  /** The glyph of this name in the `post` table, or undefined. Only format 2 names are read. */
  glyphNamed(name: string): number | undefined {
    this.#names ??= this.#readNames();
    return this.#names.get(name);
  }

  #readNames(): Map<string, number> {
    const names = new Map<string, number>();
    const post = this.#tables.get('post');
    if (post === undefined || this.#u32(post.offset) !== 0x20000) return names;
    const count = Math.min(this.#u16(post.offset + 32), this.glyphs);
    const strings: string[] = [];
    for (let at = post.offset + 34 + count * 2; at < post.offset + post.length && strings.length < 65_536;) {
      const length = this.#u8(at);
      strings.push(Array.from({ length }, (_unused, i) => String.fromCharCode(this.#u8(at + 1 + i))).join(''));
      at += 1 + length;
    }
    for (let glyph = 0; glyph < count; glyph++) {
      const index = this.#u16(post.offset + 34 + glyph * 2) - 258;
      const name = strings[index];
      if (name !== undefined && !names.has(name)) names.set(name, glyph);
    }
    return names;
  }

  /** Ranges of characters in a map, up to 0x10ffff, and no more of them than a font can use. */
  *#ranges(at: number): Generator<readonly [number, number]> {
    switch (this.#u16(at)) {
      case 0:
        yield [0, 255];
        break;
      case 4: {
        const doubled = this.#u16(at + 6);
        for (let i = 0; i < doubled; i += 2)
          yield [this.#u16(at + 16 + doubled + i), Math.min(0xfffe, this.#u16(at + 14 + i))];
        break;
      }
      case 6:
        yield [this.#u16(at + 6), Math.min(0xffff, this.#u16(at + 6) + this.#u16(at + 8) - 1)];
        break;
      case 12: {
        const groups = Math.min(this.#u32(at + 12), 20_000);
        for (let i = 0; i < groups; i++)
          yield [
            this.#u32(at + 16 + i * 12),
            Math.min(0x10ffff, this.#u32(at + 16 + i * 12) + 0xffff, this.#u32(at + 20 + i * 12)),
          ];
        break;
      }
      default:
    }
  }

  #lookUp(at: number, code: number): number {
    switch (this.#u16(at)) {
      case 0:
        return code < 256 ? this.#u8(at + 6 + code) : 0;
      case 4:
        return this.#segment(at, code);
      case 6: {
        const index = code - this.#u16(at + 6);
        return index >= 0 && index < this.#u16(at + 8) ? this.#u16(at + 10 + index * 2) : 0;
      }
      case 12: {
        const i = firstAtLeast(Math.min(this.#u32(at + 12), 100_000), (index) => this.#u32(at + 20 + index * 12), code);
        const first = this.#u32(at + 16 + i * 12);
        return i < this.#u32(at + 12) && code >= first ? this.#u32(at + 24 + i * 12) + code - first : 0;
      }
      default:
        return 0;
    }
  }

  #segment(at: number, code: number): number {
    const doubled = this.#u16(at + 6);
    const i = 2 * firstAtLeast(doubled >> 1, (index) => this.#u16(at + 14 + index * 2), code);
    const first = this.#u16(at + 16 + doubled + i);
    if (i >= doubled || code < first) return 0;
    const delta = this.#u16(at + 16 + doubled * 2 + i);
    const place = at + 16 + doubled * 3 + i;
    const offset = this.#u16(place);
    if (offset === 0) return (code + delta) & 0xffff;
    const glyph = this.#u16(place + offset + (code - first) * 2);
    return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
  }

  #u8(at: number): number {
    return at >= 0 && at < this.#view.byteLength ? this.#view.getUint8(at) : 0;
  }

  #u16(at: number): number {
    return at >= 0 && at + 2 <= this.#view.byteLength ? this.#view.getUint16(at) : 0;
  }

  #u32(at: number): number {
    return at >= 0 && at + 4 <= this.#view.byteLength ? this.#view.getUint32(at) : 0;
  }
}

/** The index of the first of `count` ascending values that is not below `wanted`; `count` when there is none. */
function firstAtLeast(count: number, valueAt: (index: number) => number, wanted: number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (valueAt(middle) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
