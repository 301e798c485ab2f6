import { DocumentError } from '../../errors.js';
import type { JsonField, JsonFont, JsonMetadata, JsonPage, RawObject } from './model.js';

/** Expected shape of a member: a scalar, a list, an object with members, or an object with any members. */
type Shape =
  | 'text'
  | 'number'
  | 'integer'
  | 'flag'
  | 'base64'
  | 'value'
  | { readonly list: Shape; readonly length?: number; readonly max?: number }
  | { readonly members: () => Members }
  | { readonly each: Shape };
type Members = Readonly<Record<string, Shape>>;

interface Fault {
  readonly pointer: string;
  readonly detail: string;
}

/** Faults that are listed; more would not be read. */
const MAX_FAULTS = 20;
/** Characters of one text. */
const MAX_TEXT = 1_000_000;
/** Coordinates and sizes: beyond, no page shows anything (ISO 32000-1, annex C). */
const MAX_NUMBER = 1e9;
const NO_BASE64 = /[^A-Za-z0-9+/]/;
const TYPES: ReadonlySet<unknown> = new Set([
  'NULL',
  'BOOLEAN',
  'INTEGER',
  'FLOAT',
  'NAME',
  'STRING',
  'ARRAY',
  'DICTIONARY',
  'STREAM',
]);

const numbers = (length: number): Shape => ({ list: 'number', length });
const object = (members: Members): Shape => ({ members: () => members });
const raw: Shape = { members: () => rawMembers };
const stream: Shape = object({ dictionary: { each: raw }, rawData: 'base64' });
const rawMembers: Members = {
  type: 'text',
  value: 'value',
  items: { list: raw, max: 1_000_000 },
  entries: { each: raw },
  stream,
  ref: 'text',
};
const colour: Shape = object({ colorSpace: 'text', components: { list: 'number', max: 32 } });

const textElement: Members = {
  text: 'text',
  fontId: 'text',
  fontSize: 'number',
  fontMatrixSize: 'number',
  fontSizeInPt: 'number',
  characterSpacing: 'number',
  wordSpacing: 'number',
  spaceWidth: 'number',
  zOrder: 'integer',
  horizontalScaling: 'number',
  leading: 'number',
  rise: 'number',
  x: 'number',
  y: 'number',
  width: 'number',
  height: 'number',
  textMatrix: numbers(6),
  fillColor: colour,
  strokeColor: colour,
  renderingMode: 'integer',
  fallbackUsed: 'flag',
  charCodes: { list: 'integer', max: 500_000 },
};
const imageElement: Members = {
  id: 'text',
  objectName: 'text',
  inlineImage: 'flag',
  nativeWidth: 'integer',
  nativeHeight: 'integer',
  x: 'number',
  y: 'number',
  width: 'number',
  height: 'number',
  left: 'number',
  right: 'number',
  top: 'number',
  bottom: 'number',
  transform: numbers(6),
  zOrder: 'integer',
  imageData: 'base64',
  imageFormat: 'text',
};
const annotation: Members = {
  subtype: 'text',
  contents: 'text',
  rect: numbers(4),
  appearanceState: 'text',
  color: { list: 'number', max: 4 },
  flags: 'integer',
  destination: 'text',
  iconName: 'text',
  subject: 'text',
  author: 'text',
  creationDate: 'text',
  modificationDate: 'text',
  rawData: raw,
};
const page: Members = {
  pageNumber: 'integer',
  width: 'number',
  height: 'number',
  rotation: 'integer',
  textElements: { list: object(textElement), max: 100_000 },
  imageElements: { list: object(imageElement), max: 100_000 },
  annotations: { list: object(annotation), max: 20_000 },
  resources: raw,
  contentStreams: { list: stream, max: 10_000 },
  ref: 'text',
  mediaBox: numbers(4),
  cropBox: numbers(4),
  userUnit: 'number',
  group: raw,
  structParents: 'integer',
};
const font: Members = {
  id: 'text',
  pageNumber: 'integer',
  uid: 'text',
  baseName: 'text',
  subtype: 'text',
  encoding: 'text',
  cidSystemInfo: object({ registry: 'text', ordering: 'text', supplement: 'integer' }),
  embedded: 'flag',
  program: 'base64',
  programFormat: 'text',
  webProgram: 'base64',
  webProgramFormat: 'text',
  pdfProgram: 'base64',
  pdfProgramFormat: 'text',
  type3Glyphs: {
    list: object({ charCode: 'integer', glyphName: 'text', unicode: 'integer', charCodeRaw: 'integer' }),
    max: 10_000,
  },
  conversionCandidates: { list: { each: 'value' }, max: 1000 },
  toUnicode: 'text',
  standard14Name: 'text',
  fontDescriptorFlags: 'integer',
  ascent: 'number',
  descent: 'number',
  capHeight: 'number',
  xHeight: 'number',
  italicAngle: 'number',
  unitsPerEm: 'integer',
  cosDictionary: raw,
};
const field: Members = {
  name: 'text',
  partialName: 'text',
  fieldType: 'text',
  value: 'text',
  defaultValue: 'text',
  flags: 'integer',
  alternateFieldName: 'text',
  mappingName: 'text',
  pageNumber: 'integer',
  rect: numbers(4),
  options: { list: 'text', max: 100_000 },
  selectedIndices: { list: 'integer', max: 100_000 },
  checked: 'flag',
  fontName: 'text',
  fontSize: 'number',
  rawData: raw,
};
const metadata: Members = {
  title: 'text',
  author: 'text',
  subject: 'text',
  keywords: 'text',
  creator: 'text',
  producer: 'text',
  creationDate: 'text',
  modificationDate: 'text',
  trapped: 'text',
  numberOfPages: 'integer',
};
const shapes = {
  page: object(page),
  font: object(font),
  field: object(field),
  metadata: object(metadata),
  raw,
  base64: 'base64' as Shape,
};

export interface Checked {
  readonly page: JsonPage;
  readonly font: JsonFont;
  readonly field: JsonField;
  readonly metadata: JsonMetadata;
  readonly raw: RawObject;
  readonly base64: string;
}

/**
 * Returns a parsed value as a part of the document: null members count as absent, unknown ones are ignored. Throws
 * INPUT_INVALID with a pointer for each member of a wrong type, of a wrong length, or with invalid base64.
 */
export function checked<K extends keyof Checked>(kind: K, value: unknown, pointer: string): Checked[K] {
  const faults: Fault[] = [];
  const clean = check(value, shapes[kind], pointer, faults);
  if (faults.length > 0)
    throw new DocumentError(
      'INPUT_INVALID',
      {
        detail: faults
          .map((fault) => `${fault.pointer} ${fault.detail}`)
          .join('; ')
          .slice(0, 1000),
      },
      faults,
    );
  return clean as Checked[K];
}

function check(value: unknown, shape: Shape, pointer: string, faults: Fault[]): unknown {
  if (faults.length >= MAX_FAULTS) return undefined;
  if (typeof shape === 'string') {
    const wanted = scalarFault(value, shape);
    if (wanted === undefined) return value;
    faults.push({ pointer, detail: `is ${kindOf(value)}; ${wanted}` });
    return undefined;
  }
  return 'list' in shape ? checkList(value, shape, pointer, faults) : checkObject(value, shape, pointer, faults);
}

/** Says what a scalar must be; undefined when it is that. */
function scalarFault(value: unknown, shape: Extract<Shape, string>): string | undefined {
  switch (shape) {
    case 'text':
      if (typeof value !== 'string') return 'it must be a text';
      return value.length > MAX_TEXT ? `it must have at most ${MAX_TEXT} characters` : undefined;
    case 'base64':
      return typeof value === 'string' && isBase64(value) ? undefined : 'it must be base64';
    case 'number':
    case 'integer':
      if (typeof value !== 'number' || !Number.isFinite(value) || Math.abs(value) > MAX_NUMBER * 10)
        return 'it must be a number';
      return shape === 'number' || Number.isInteger(value) ? undefined : 'it must be a whole number';
    case 'flag':
      return typeof value === 'boolean' ? undefined : 'it must be true or false';
    case 'value':
      return typeof value === 'object' && value !== null ? 'it must be a text, a number, true or false' : undefined;
  }
}

function checkList(
  value: unknown,
  shape: Extract<Shape, { readonly list: Shape }>,
  pointer: string,
  faults: Fault[],
): unknown {
  const fault = (detail: string): undefined => void faults.push({ pointer, detail });
  if (!Array.isArray(value)) return fault(`is ${kindOf(value)}; it must be a list`);
  if (shape.length !== undefined && value.length !== shape.length)
    return fault(`has ${value.length} elements; it must have ${shape.length}`);
  if (value.length > (shape.max ?? Infinity))
    return fault(`has ${value.length} elements; at most ${shape.max} are accepted`);
  return value.map((item: unknown, i) => check(item, shape.list, `${pointer}/${i}`, faults));
}

function checkObject(
  value: unknown,
  shape: Exclude<Shape, string | { readonly list: Shape }>,
  pointer: string,
  faults: Fault[],
): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return void faults.push({ pointer, detail: `is ${kindOf(value)}; it must be an object` });
  const known = 'members' in shape ? shape.members() : undefined;
  const clean: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, member] of Object.entries(value)) {
    if (member === null || member === undefined || (known !== undefined && !Object.hasOwn(known, name))) continue;
    const wanted = known === undefined ? (shape as { readonly each: Shape }).each : known[name];
    if (wanted === undefined) continue;
    const segment = name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1');
    clean[name] = check(member, wanted, `${pointer}/${segment}`, faults);
  }
  if (known === rawMembers) checkRaw(clean, pointer, faults);
  return clean;
}

/** A tree says what it is, and its value is of that kind. */
function checkRaw({ type, value, ref }: Record<string, unknown>, pointer: string, faults: Fault[]): void {
  const fault = (member: string, detail: string): void => void faults.push({ pointer: `${pointer}/${member}`, detail });
  if (!TYPES.has(type))
    fault(
      'type',
      `is ${type === undefined ? 'missing' : JSON.stringify(type).slice(0, 40)}; allowed are ${[...TYPES].join(', ')}`,
    );
  if (typeof ref === 'string' && ref.length > 40) fault('ref', 'must have at most 40 characters');
  if (value === undefined) return;
  if ((type === 'INTEGER' || type === 'FLOAT') && (typeof value !== 'number' || !Number.isFinite(value)))
    fault('value', 'must be a number');
  if (type === 'BOOLEAN' && typeof value !== 'boolean') fault('value', 'must be true or false');
  if (type === 'NAME' && typeof value !== 'string') fault('value', 'must be a text');
  if (type === 'STRING' && (typeof value !== 'string' || !isBase64(value))) fault('value', 'must be base64');
}

/**
 * Looks for what does not belong, since a pattern of the whole would keep a place to come back to for every character.
 */
function isBase64(text: string): boolean {
  if (text.length % 4 !== 0) return false;
  return !NO_BASE64.test(text.endsWith('==') ? text.slice(0, -2) : text.endsWith('=') ? text.slice(0, -1) : text);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return `the text "${value.slice(0, 30)}"`;
  return typeof value === 'object' ? 'an object' : `${typeof value} ${String(value).slice(0, 30)}`;
}
