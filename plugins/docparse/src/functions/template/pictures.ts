import { createHash } from 'node:crypto';
import { xmlCharacters } from '@quire/document/file/xml';
import type { Element } from '@xmldom/xmldom';
import { elementLike } from './dialect.js';
import type { PictureValue } from './fill-part.js';
import type { TemplatePackage } from './open-package.js';

/** English Metric Units in a point (ECMA-376-1, 20.1.2.1). */
const EMU = 12_700;
/** Points of a pixel at 96 dpi. */
const PIXEL = 0.75;
/** A picture without a size is drawn no wider than this many points, which is the text of most pages. */
const WIDEST = 450;
const LARGEST = 5000;
const MAX_BYTES = 20 * 1024 * 1024;

interface Sized {
  readonly bytes: Buffer;
  readonly extension: 'png' | 'jpeg' | 'gif';
  readonly width: number;
  readonly height: number;
}

/** Puts pictures from the data into a package: as parts of it, each once, and into the text. */
export class Pictures {
  readonly #names = new Map<string, string>();
  #drawn = 0;

  constructor(private readonly opened: TemplatePackage) {}

  /** Draws an image at `owner` in the part of this name. Returns the reason if it cannot; undefined on success. */
  async place(part: string, owner: Element, value: PictureValue): Promise<string | undefined> {
    const { kind } = this.opened;
    if (kind === 'pptx') return "is an image, which a slide's text cannot contain";
    const picture = readPicture(value.image);
    if (picture === undefined) return 'is not a PNG, JPEG or GIF in base64, or is larger than 20 MiB';
    const size = sizeOf(picture, value);
    if (size === undefined) return `has a width or height that is not a number of points from 1 to ${LARGEST}`;
    const alt = typeof value.alt === 'string' ? xmlCharacters(value.alt) : '';
    if (kind === 'docx') await this.#inWord(part, owner, picture, size, alt);
    else await this.#inOpenDocument(owner, picture, size, alt);
    return undefined;
  }

  async #inWord(part: string, owner: Element, picture: Sized, size: Lengths, alt: string): Promise<void> {
    const name = this.#member(picture, 'word/media');
    const types = (await this.opened.xml('[Content_Types].xml')).documentElement!;
    if (
      !children(types).some(
        (one) => one.localName === 'Default' && one.getAttribute('Extension')?.toLowerCase() === picture.extension,
      )
    ) {
      const type = types.ownerDocument!.createElementNS(types.namespaceURI, 'Default');
      type.setAttribute('Extension', picture.extension);
      type.setAttribute('ContentType', `image/${picture.extension}`);
      types.insertBefore(type, types.firstChild);
    }
    const id = await this.#relation(part, name.slice('word/'.length));
    const [cx, cy] = [String(Math.round(size.width * EMU)), String(Math.round(size.height * EMU))];
    const number = String(10_000 + ++this.#drawn);
    const document = owner.ownerDocument!;
    const make = (
      namespace: string,
      tag: string,
      attributes: Readonly<Record<string, string>> = {},
      ...kids: Element[]
    ): Element => {
      const element = document.createElementNS(namespace, tag);
      for (const [key, text] of Object.entries(attributes)) element.setAttribute(key, text);
      for (const kid of kids) element.appendChild(kid);
      return element;
    };
    const wp = (tag: string, attributes?: Readonly<Record<string, string>>, ...kids: Element[]): Element =>
      make(WP, `wp:${tag}`, attributes, ...kids);
    const a = (tag: string, attributes?: Readonly<Record<string, string>>, ...kids: Element[]): Element =>
      make(A, `a:${tag}`, attributes, ...kids);
    const pic = (tag: string, attributes?: Readonly<Record<string, string>>, ...kids: Element[]): Element =>
      make(PIC, `pic:${tag}`, attributes, ...kids);
    const blip = a('blip');
    blip.setAttributeNS(R, 'r:embed', id);
    const drawing = elementLike(owner, 'w:drawing');
    drawing.appendChild(
      wp(
        'inline',
        { distT: '0', distB: '0', distL: '0', distR: '0' },
        wp('extent', { cx, cy }),
        wp('docPr', { id: number, name: `Picture ${number}`, descr: alt }),
        a(
          'graphic',
          {},
          a(
            'graphicData',
            { uri: PIC },
            pic(
              'pic',
              {},
              pic('nvPicPr', {}, pic('cNvPr', { id: number, name: `Picture ${number}`, descr: alt }), pic('cNvPicPr')),
              pic('blipFill', {}, blip, a('stretch', {}, a('fillRect'))),
              pic(
                'spPr',
                {},
                a('xfrm', {}, a('off', { x: '0', y: '0' }), a('ext', { cx, cy })),
                a('prstGeom', { prst: 'rect' }, a('avLst')),
              ),
            ),
          ),
        ),
      ),
    );
    for (const text of [...children(owner)].filter(({ nodeName }) => nodeName === 'w:t')) owner.removeChild(text);
    owner.appendChild(drawing);
  }

  /** The id of a part's relationship to a picture (ECMA-376-2, 9.3). */
  async #relation(part: string, target: string): Promise<string> {
    const relations = part.replace(/([^/]+)$/, '_rels/$1.rels');
    const root = (
      await this.opened.xmlOr(
        relations,
        `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Relationships xmlns="${RELATIONS}"/>`,
      )
    ).documentElement!;
    const ids = new Set(children(root).map((one) => one.getAttribute('Id')));
    const known = children(root).find(
      (one) => one.getAttribute('Target') === target && one.getAttribute('Type') === IMAGE,
    );
    if (known !== undefined) return known.getAttribute('Id') ?? '';
    let n = 1;
    while (ids.has(`rIdPicture${n}`)) n++;
    const relation = root.ownerDocument!.createElementNS(root.namespaceURI, 'Relationship');
    for (const [key, text] of [
      ['Id', `rIdPicture${n}`],
      ['Type', IMAGE],
      ['Target', target],
    ] as const)
      relation.setAttribute(key, text);
    root.appendChild(relation);
    return `rIdPicture${n}`;
  }

  async #inOpenDocument(owner: Element, picture: Sized, size: Lengths, alt: string): Promise<void> {
    const name = this.#member(picture, 'Pictures');
    const manifest = (await this.opened.xml('META-INF/manifest.xml')).documentElement!;
    if (!children(manifest).some((one) => one.getAttribute('manifest:full-path') === name)) {
      manifest.appendChild(
        elementLike(manifest, 'manifest:file-entry', {
          'manifest:full-path': name,
          'manifest:media-type': `image/${picture.extension}`,
        }),
      );
    }
    const frame = elementLike(owner, 'draw:frame', {
      'draw:name': `Picture ${++this.#drawn}`,
      'text:anchor-type': 'as-char',
      'svg:width': `${size.width}pt`,
      'svg:height': `${size.height}pt`,
    });
    frame.appendChild(
      elementLike(owner, 'draw:image', {
        'xlink:href': name,
        'xlink:type': 'simple',
        'xlink:show': 'embed',
        'xlink:actuate': 'onLoad',
      }),
    );
    if (alt !== '') frame.appendChild(elementLike(owner, 'svg:desc')).textContent = alt;
    while (owner.firstChild !== null) owner.removeChild(owner.firstChild);
    owner.appendChild(frame);
  }

  /** The member that holds the picture; the same picture is written once. */
  #member({ bytes, extension }: Sized, folder: string): string {
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 24);
    const known = this.#names.get(hash);
    if (known !== undefined) return known;
    const name = `${folder}/quire-${hash}.${extension}`;
    this.#names.set(hash, name);
    this.opened.add(name, bytes);
    return name;
  }
}

const WP = 'http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing';
const A = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const PIC = 'http://schemas.openxmlformats.org/drawingml/2006/picture';
const R = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const IMAGE = `${R}/image`;
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';

interface Lengths {
  readonly width: number;
  readonly height: number;
}

/** Points: as asked for, the other side in proportion; else 96 pixels to the inch, as wide as text at most. */
function sizeOf({ width, height }: Sized, value: PictureValue): Lengths | undefined {
  const given = [value.width, value.height];
  if (given.some((length) => length !== undefined && !(typeof length === 'number' && length >= 1 && length <= LARGEST)))
    return undefined;
  if (value.width !== undefined) return { width: value.width, height: value.height ?? (value.width * height) / width };
  if (value.height !== undefined) return { width: (value.height * width) / height, height: value.height };
  const shown = Math.min(width * PIXEL, WIDEST);
  return { width: shown, height: (shown * height) / width };
}

/** Reads kind and size in pixels from the first bytes (PNG 11.2.2, GIF89a 18, JPEG B.2.2). */
function readPicture(text: string): Sized | undefined {
  const base64 = text.replace(/^data:[\w/+.-]*(?:;[\w=.-]+)*;base64,/i, '').replace(/\s+/g, '');
  if (base64.length > (MAX_BYTES * 4) / 3 + 4 || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(base64)) return undefined;
  const bytes = Buffer.from(base64, 'base64');
  const sized = (extension: Sized['extension'], width: number, height: number): Sized | undefined =>
    width > 0 && height > 0 ? { bytes, extension, width, height } : undefined;
  if (bytes.length >= 24 && bytes.readUInt32BE(0) === 0x89504e47)
    return sized('png', bytes.readUInt32BE(16), bytes.readUInt32BE(20));
  if (bytes.length >= 10 && /^GIF8[79]a/.test(bytes.toString('latin1', 0, 6)))
    return sized('gif', bytes.readUInt16LE(6), bytes.readUInt16LE(8));
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1]!;
    if (marker === 0xff) at++;
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return sized('jpeg', bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5));
    else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

function children(element: Element): Element[] {
  const found: Element[] = [];
  for (let child = element.firstChild; child !== null; child = child.nextSibling)
    if (child.nodeType === 1) found.push(child as Element);
  return found;
}
