import { createHash } from 'node:crypto';
import {
  PDFArray,
  PDFBool,
  type PDFContext,
  PDFDict,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFRef,
} from 'pdf-lib';
import {
  asDict,
  asName,
  asNumber,
  asText,
  catalogOf,
  elements,
  entry,
  readNameTree,
  readNumberTree,
  resolve,
} from '../../file/objects/index.js';
import { boxOf, pageAttribute, type PageEntry, userUnit } from '../../structure/pages/index.js';
import {
  acroFormOf,
  allFieldNodes,
  fieldAttribute,
  type FieldNode,
  fullName,
  isField,
  readFields,
} from '../../forms/fields/index.js';
import { explicitDestination, type NamedDestinations, readNamedDestinations } from '../../structure/names/index.js';
import { outlineTitle, type OutlineNode, readOutlines } from '../../structure/outlines/index.js';
import { readLayers } from '../../structure/layers/index.js';
import { readPageLabels } from '../../structure/pages/index.js';
import { decodeStream } from '../../file/reader/index.js';

/** A document's features, in lines that do not depend on object numbers; pages are 0-based. */
export interface Portrait {
  readonly pages: number;
  /** Boxes, rotation and user unit of each page. */
  readonly shapes: readonly string[];
  readonly labels: readonly string[] | undefined;
  readonly outlines: readonly (readonly [depth: number, title: string, page: number])[];
  /** Annotations of each page: type, rectangle, and the page that a link leads to. */
  readonly annotations: readonly (readonly [page: number, what: string, target: number])[];
  /** Named fields: full name, type and value, and the pages of their widgets. */
  readonly fields: readonly (readonly [name: string, what: string, pages: readonly number[]])[];
  /** True when the form asks viewers to draw its fields. */
  readonly needsAppearances: boolean;
  readonly attachments: readonly (readonly [name: string, hash: string])[];
  readonly destinations: readonly (readonly [page: number, view: string])[];
  readonly layers: readonly string[];
  /** Structure elements by standard role, and the number of marked content items that lead to one. */
  readonly elements: readonly string[];
  readonly tagged: number;
  readonly scripts: readonly string[];
  readonly associated: number;
  readonly threads: number;
}

/** Describes a document. */
export function portraitOf(context: PDFContext, pages: readonly PageEntry[]): Portrait {
  const catalog = catalogOf(context);
  if (catalog === undefined) throw new TypeError('an opened document has a catalog');
  const named = readNamedDestinations(context);
  const places = new Map<PDFRef, number>();
  pages.forEach(({ ref }, i) => places.has(ref) || places.set(ref, i));
  const look = new Looker(context, catalog, pages, named, places);
  const names = asDict(context, entry(catalog, 'Names'));
  const tree = (kind: string): [string, PDFObject][] =>
    readNameTree(context, names === undefined ? undefined : entry(names, kind));
  return {
    pages: pages.length,
    shapes: pages.map((page) => look.shape(page)),
    labels: readPageLabels(context, pages.length)?.map(
      ({ style, prefix, number }) => `${prefix}|${style ?? ''}|${number}`,
    ),
    outlines: look.outlines(readOutlines(context), 0),
    annotations: pages.flatMap((page, i) => look.annotations(page, i)),
    fields: look.fields(),
    needsAppearances: asksForAppearances(context),
    attachments: tree('EmbeddedFiles').map(([name, value]) => [name, look.fileHash(value)]),
    destinations: [...named.strings.values(), ...named.names.values()].map((value) => look.destination(value)),
    layers: readLayers(context).map(
      ({ name, shown, locked }) => `${name}|${shown ? 'shown' : 'hidden'}${locked ? '|locked' : ''}`,
    ),
    elements: look.elements(),
    tagged: look.tagged(),
    scripts: tree('JavaScript').map(([, value]) => look.scriptHash(value)),
    associated: elements(context, entry(catalog, 'AF')).length,
    threads: elements(context, entry(catalog, 'Threads')).length,
  };
}

class Looker {
  constructor(
    private readonly context: PDFContext,
    private readonly catalog: PDFDict,
    private readonly pages: readonly PageEntry[],
    private readonly named: NamedDestinations,
    private readonly places: ReadonlyMap<PDFRef, number>,
  ) {}

  shape(page: PageEntry): string {
    const boxes = ['MediaBox', 'CropBox', 'BleedBox', 'TrimBox', 'ArtBox'].map((key) =>
      boxOf(this.context, pageAttribute(page, key))?.join(' '),
    );
    return [...boxes, asNumber(this.context, pageAttribute(page, 'Rotate')) ?? 0, userUnit(this.context, page)].join(
      '|',
    );
  }

  outlines(nodes: readonly OutlineNode[], depth: number): [number, string, number][] {
    return nodes.flatMap(
      (node) =>
        [
          [depth, outlineTitle(this.context, node), this.target(node.dict)],
          ...this.outlines(node.children, depth + 1),
        ] as [number, string, number][],
    );
  }

  annotations(page: PageEntry, at: number): [number, string, number][] {
    return elements(this.context, entry(page.dict, 'Annots')).flatMap((value) => {
      const dict = resolve(this.context, value);
      if (!(dict instanceof PDFDict)) return [];
      const what = [
        asName(this.context, entry(dict, 'Subtype')),
        boxOf(this.context, entry(dict, 'Rect'))?.join(' '),
        asDict(this.context, entry(dict, 'AP')) !== undefined,
      ];
      return [[at, what.join('|'), this.target(dict)] as [number, string, number]];
    });
  }

  fields(): [string, string, readonly number[]][] {
    const on = new Map<PDFDict, number>();
    this.pages.forEach(({ dict }, i) => {
      for (const value of elements(this.context, entry(dict, 'Annots'))) {
        const annotation = asDict(this.context, value);
        if (annotation !== undefined) on.set(annotation, i);
      }
    });
    const pagesOf = (node: FieldNode): number[] =>
      [on.get(node.dict) ?? [], node.children.filter((child) => !isField(child)).flatMap(pagesOf)].flat();
    return [...allFieldNodes(readFields(this.context))].filter(isField).map((node) => {
      const value = resolve(this.context, fieldAttribute(node, 'V'));
      const shown =
        value instanceof PDFDict || value instanceof PDFRawStream
          ? 'object'
          : value instanceof PDFName
            ? value.toString()
            : (asText(this.context, value) ??
              elements(this.context, value)
                .map((item) => asText(this.context, item))
                .join());
      return [
        fullName(this.context, node),
        `${asName(this.context, fieldAttribute(node, 'FT')) ?? ''}|${shown}`,
        pagesOf(node),
      ];
    });
  }

  fileHash(value: PDFObject | undefined): string {
    const files = asDict(this.context, entry(asDict(this.context, value) ?? this.catalog, 'EF'));
    const file = files === undefined ? undefined : resolve(this.context, entry(files, 'F') ?? entry(files, 'UF'));
    return file instanceof PDFRawStream ? hash(this.decoded(file)) : '';
  }

  scriptHash(value: PDFObject | undefined): string {
    const script = resolve(this.context, entry(asDict(this.context, value) ?? this.catalog, 'JS'));
    return script instanceof PDFRawStream
      ? hash(this.decoded(script))
      : hash(Buffer.from(asText(this.context, script) ?? ''));
  }

  /** A stream's decoded content. */
  private decoded(stream: PDFRawStream): Uint8Array {
    try {
      return decodeStream(stream, (value) => resolve(this.context, value)) ?? stream.contents;
    } catch {
      return stream.contents;
    }
  }

  destination(value: PDFObject | undefined): [number, string] {
    const array = explicitDestination(this.context, this.named, value);
    const rest = array
      ?.asArray()
      .slice(1)
      .map((item) => String(resolve(this.context, item) ?? 'null'));
    return [this.pageOf(array?.asArray()[0]), rest?.join(' ') ?? ''];
  }

  elements(): string[] {
    const tree = asDict(this.context, entry(this.catalog, 'StructTreeRoot'));
    if (tree === undefined) return [];
    const roles = asDict(this.context, entry(tree, 'RoleMap'));
    const standard = (name: string): string => {
      let role = name;
      for (let hop = 0; hop < 8; hop++) {
        const next = roles === undefined ? undefined : asName(this.context, entry(roles, role));
        if (next === undefined) break;
        role = next;
      }
      // An undefined role may have got a number.
      return role.replace(/(_\d+)+$/, '');
    };
    const seen = new Set<PDFDict>();
    const found: string[] = [];
    const waiting: (PDFObject | undefined)[] = [entry(tree, 'K')];
    for (let value = waiting.pop(); value !== undefined || waiting.length > 0; value = waiting.pop()) {
      const object = resolve(this.context, value);
      if (object instanceof PDFArray) waiting.push(...object.asArray());
      if (!(object instanceof PDFDict) || seen.has(object)) continue;
      seen.add(object);
      const type = asName(this.context, entry(object, 'Type'));
      if (type === 'MCR' || type === 'OBJR') continue;
      found.push(standard(asName(this.context, entry(object, 'S')) ?? ''));
      waiting.push(entry(object, 'K'));
    }
    return found.sort();
  }

  /** The number of parent tree entries of pages and annotations that lead to an element. */
  tagged(): number {
    const tree = asDict(this.context, entry(this.catalog, 'StructTreeRoot'));
    const parents = new Map(readNumberTree(this.context, tree && entry(tree, 'ParentTree')));
    let count = 0;
    const lead = (owner: PDFDict, key: string): void => {
      const number = entry(owner, key);
      const found = number instanceof PDFNumber ? resolve(this.context, parents.get(number.asNumber())) : undefined;
      if (found instanceof PDFArray)
        count += found.asArray().filter((item) => asDict(this.context, item) !== undefined).length;
      else if (found instanceof PDFDict) count += 1;
    };
    for (const { dict } of this.pages) {
      lead(dict, 'StructParents');
      for (const value of elements(this.context, entry(dict, 'Annots'))) {
        const annotation = asDict(this.context, value);
        if (annotation !== undefined) lead(annotation, 'StructParent');
      }
    }
    return count;
  }

  private target(owner: PDFDict): number {
    const action = asDict(this.context, entry(owner, 'A'));
    const dest =
      entry(owner, 'Dest') ??
      (action !== undefined && asName(this.context, entry(action, 'S')) === 'GoTo' ? entry(action, 'D') : undefined);
    return this.pageOf(explicitDestination(this.context, this.named, dest)?.asArray()[0]);
  }

  private pageOf(value: PDFObject | undefined): number {
    return value instanceof PDFRef ? (this.places.get(value) ?? -1) : -1;
  }
}

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}

function asksForAppearances(context: PDFContext): boolean {
  const form = acroFormOf(context);
  return form !== undefined && resolve(context, entry(form, 'NeedAppearances')) === PDFBool.True;
}
