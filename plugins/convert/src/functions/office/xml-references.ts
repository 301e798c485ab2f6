import { Parser } from 'htmlparser2';
import { computesFromOutside, isClickable, leadsOut, reachesOut, type MayStay } from './outside.js';

/** How the XML of a document is cleaned. */
export interface XmlRules {
  /** True for a part of a zip, where paths lead to other parts. */
  readonly inPackage: boolean;
  /** Ids of relationships to addresses outside: only links to click may use them. */
  readonly outsideIds?: ReadonlySet<string>;
  readonly mayStay: MayStay;
}

/** ODF: `text:a`, `draw:a`, areas of image maps and actions of slides; SVG: `a`. */
const links = new Set(['a', 'area-rectangle', 'area-circle', 'area-polygon', 'event-listener']);
/** OOXML: the elements that name a link by its relationship. */
const relationshipLinks = new Set(['hyperlink', 'hlinkClick', 'hlinkHover', 'hlinkMouseOver']);
/** VML: pictures and fills have sources, shapes are links. */
const vmlSources = new Set(['imagedata', 'fill', 'stroke', 'image']);
const vmlShapes = new Set(['shape', 'rect', 'roundrect', 'oval', 'line', 'polyline', 'curve', 'arc', 'group']);

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Field {
  instruction: string;
  readonly ranges: { readonly start: number; readonly end: number }[];
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);
const escapeValue = (value: string): string => value.replace(/[&<>"\t\n\r]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/**
 * Removes references that lead out of the document from OpenDocument, OOXML, SVG or flat XML, whatever their prefixes:
 * sources of images, objects, sections and tables, DDE, fields that include files, formulas that read files. Clickable
 * links and saved values stay. Returns the same text if there is nothing to remove. The text must not have an internal
 * DTD.
 */
export function cleanXml(text: string, rules: XmlRules): string {
  const edits: Edit[] = [];
  const fields: Field[] = [];
  const loose: Field = { instruction: '', ranges: [] };
  let instructionAt: number | undefined;
  let formula: { readonly start: number; text: string } | undefined;
  const judge = (field: Field | undefined): void => {
    if (field === undefined || !reachesOut(field.instruction)) return;
    edits.push(...field.ranges.map((range) => ({ ...range, text: '' })));
    field.ranges.length = 0;
  };
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        const local = localName(name);
        const end = parser.endIndex + 1;
        const changed = cleanAttributes(local, attributes, rules);
        if (changed !== undefined) {
          const written = Object.entries(changed)
            .map(([key, value]) => ` ${key}="${escapeValue(value)}"`)
            .join('');
          edits.push({
            start: parser.startIndex,
            end,
            text: `<${name}${written}${text[parser.endIndex - 1] === '/' ? '/' : ''}>`,
          });
        }
        if (local === 'fldChar') {
          const type = Object.entries(attributes).find(([key]) => localName(key) === 'fldCharType')?.[1];
          if (type === 'begin') fields.push({ instruction: '', ranges: [] });
          else judge(type === 'end' ? fields.pop() : fields.at(-1));
        } else if (local === 'instrText') instructionAt = end;
        else if (local === 'f' || local === 'definedName') formula = { start: end, text: '' };
      },
      ontext: (data) => {
        if (instructionAt !== undefined) (fields.at(-1) ?? loose).instruction += data;
        if (formula !== undefined) formula.text += data;
      },
      onclosetag: (name, implied) => {
        const local = localName(name);
        if (local === 'instrText' && instructionAt !== undefined) {
          if (!implied) (fields.at(-1) ?? loose).ranges.push({ start: instructionAt, end: parser.startIndex });
          instructionAt = undefined;
        } else if ((local === 'f' || local === 'definedName') && formula !== undefined) {
          if (!implied && computesFromOutside(formula.text))
            edits.push({ start: formula.start, end: parser.startIndex, text: '' });
          formula = undefined;
        }
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
  judge(loose);
  for (const field of fields) judge(field);
  return applied(text, edits);
}

/** The attributes as they may stay; undefined when they may all stay as they are. */
function cleanAttributes(
  element: string,
  attributes: Readonly<Record<string, string>>,
  { inPackage, outsideIds, mayStay }: XmlRules,
): Record<string, string> | undefined {
  const dde = Object.keys(attributes).some((key) => localName(key) === 'dde-application');
  let changed: Record<string, string> | undefined;
  for (const [key, value] of Object.entries(attributes)) {
    const name = localName(key);
    const isSource =
      name === 'href' || name === 'althref' || name === 'image-data' || (name === 'src' && vmlSources.has(element));
    const isLink = (links.has(element) || (key === 'href' && vmlShapes.has(element))) && isClickable(value);
    const out =
      (isSource && !isLink && !(element === 'a' && name === 'href') && leadsOut(value, inPackage) && !mayStay(value)) ||
      // A linked image; the relationship says where it is (ECMA-376-1, 20.1.8.13).
      (name === 'link' && name !== key) ||
      (outsideIds?.has(value) === true && name !== key && !relationshipLinks.has(element)) ||
      (dde && name.startsWith('dde-')) ||
      ((name === 'formula' || name === 'expression') && computesFromOutside(value)) ||
      (name === 'instr' && element === 'fldSimple' && reachesOut(value));
    if (!out) continue;
    changed ??= { ...attributes };
    if (name === 'formula' || name === 'link') delete changed[key];
    else changed[key] = '';
  }
  return changed;
}

function applied(text: string, edits: readonly Edit[]): string {
  if (edits.length === 0) return text;
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, text: instead } of [...edits].sort((a, b) => a.start - b.start)) {
    if (start < at) continue;
    pieces.push(text.slice(at, start), instead);
    at = end;
  }
  pieces.push(text.slice(at));
  return pieces.join('');
}

/** Relationships of a part (ECMA-376-2, 9.3). */
export interface Relationships {
  /**
   * The part with targets that lead out taken away, but those of links to click. The relationships stay, since parts
   * use their ids.
   */
  readonly text: string;
  /** Ids of the links that stay. */
  readonly outsideIds: ReadonlySet<string>;
}

/** Cleans the relationships of a part. */
export function cleanRelationships(text: string, mayStay: MayStay): Relationships {
  const edits: Edit[] = [];
  const outsideIds = new Set<string>();
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (localName(name) !== 'Relationship') return;
        const { Target = '', Type = '', Id = '', TargetMode = '' } = attributes;
        if (!/^external$/i.test(TargetMode.trim()) && !/^\s*(?:[a-z][a-z0-9+.-]*:|\/\/|\\)/i.test(Target)) return;
        if (/\/hyperlink$/i.test(Type)) outsideIds.add(Id);
        else if (!mayStay(Target)) {
          const written = Object.entries({ ...attributes, Target: 'about:blank' })
            .map(([key, value]) => ` ${key}="${escapeValue(value)}"`)
            .join('');
          edits.push({
            start: parser.startIndex,
            end: parser.endIndex + 1,
            text: `<${name}${written}${text[parser.endIndex - 1] === '/' ? '/' : ''}>`,
          });
        }
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
  return { text: applied(text, edits), outsideIds };
}
