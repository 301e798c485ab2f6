import { type PDFContext, type PDFDict, PDFName, type PDFRawStream } from 'pdf-lib';
import { asDict, catalogOf, entry, nameText } from '../objects/index.js';
import type { OpenedPdf } from '../open/index.js';
import { collectNames, plainName } from '../../structure/split/index.js';
import { contentOwners, readableContent } from './content-owners.js';

/** Resources that are useless unless the page's content names them (ISO 32000-1, table 33). */
const KINDS = ['XObject', 'Font', 'Pattern', 'Shading'] as const;
const THUMB = PDFName.of('Thumb');

/** The names used from each resource dictionary; undefined when some content that uses it cannot be read. */
type Needs = Map<PDFDict, Set<string> | undefined>;

/**
 * Removes fonts, images, forms, patterns and shadings from resource dictionaries when no content that uses the
 * dictionary names them, and the thumbnails of pages, which viewers draw themselves; in place and without visible
 * change. Where content cannot be read, everything stays. Returns how many were removed.
 */
export function dropUnused(opened: OpenedPdf): number {
  for (const page of opened.pages) page.dict.delete(THUMB);
  const unused = new UnusedResources(opened.document.context);
  for (const { resources, streams } of contentOwners(opened)) unused.owner(resources, streams);
  return unused.drop();
}

class UnusedResources {
  private readonly needs: Needs = new Map();
  /**
   * Content without resources uses those of the page that shows it (ISO 32000-1, 7.8.3): its names count everywhere.
   */
  private anywhere: Set<string> | undefined = new Set();

  constructor(private readonly context: PDFContext) {
    const catalog = catalogOf(context);
    const form = catalog === undefined ? undefined : asDict(context, entry(catalog, 'AcroForm'));
    const defaults = form === undefined ? undefined : asDict(context, entry(form, 'DR'));
    // Default appearances name fonts outside any content.
    if (defaults !== undefined) for (const dict of this.kindsOf(defaults)) this.needs.set(dict, undefined);
  }

  /** Records the names used by the content of a page, form, pattern or font. */
  owner(resources: PDFDict | undefined, streams: readonly PDFRawStream[]): void {
    const names = this.namesIn(streams);
    if (resources === undefined) {
      this.anywhere = joined(this.anywhere, names);
      return;
    }
    for (const dict of this.kindsOf(resources))
      this.needs.set(dict, joined(this.needs.has(dict) ? this.needs.get(dict) : new Set(), names));
  }

  drop(): number {
    const { anywhere } = this;
    if (anywhere === undefined) return 0;
    let dropped = 0;
    for (const [dict, names] of this.needs) {
      for (const name of names === undefined ? [] : dict.keys()) {
        const plain = plainName(nameText(name));
        if (names?.has(plain) !== true && !anywhere.has(plain) && dict.delete(name)) dropped++;
      }
    }
    return dropped;
  }

  private kindsOf(resources: PDFDict): PDFDict[] {
    return KINDS.map((kind) => asDict(this.context, entry(resources, kind))).filter((dict) => dict !== undefined);
  }

  private namesIn(streams: readonly PDFRawStream[]): Set<string> | undefined {
    const names = new Set<string>();
    for (const stream of streams) {
      const bytes = readableContent(this.context, stream);
      if (bytes === undefined) return undefined;
      collectNames(bytes, names);
    }
    return names;
  }
}

function joined(a: Set<string> | undefined, b: ReadonlySet<string> | undefined): Set<string> | undefined {
  if (a === undefined || b === undefined) return undefined;
  for (const name of b) a.add(name);
  return a;
}
