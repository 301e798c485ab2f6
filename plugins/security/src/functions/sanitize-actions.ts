import { asText, entry, resolve } from '@quire/document/file/objects';
import { type FoundAction, pruneActions } from '@quire/document/structure/actions';
import { PDFArray, type PDFContext, PDFDict, type PDFObject } from 'pdf-lib';

/** The types of actions to remove. */
export interface Unwanted {
  readonly scripts: boolean;
  readonly files: boolean;
  readonly links: boolean;
}

/**
 * Number of removed actions: scripts, those that start programs, those that lead or send data outside the document, and
 * those that play or open a file in it.
 */
export interface PrunedActions {
  readonly scripts: number;
  readonly launches: number;
  readonly links: number;
  readonly media: number;
}

/** Addresses that are scripts, or may contain one. */
const SCRIPT_ADDRESS = /^[\s\0-\x1f]*(?:javascript|vbscript|data):/i;
/** Actions that lead or send data outside the document (ISO 32000-1, 12.6.4.3, 12.6.4.7 and 12.7.5). */
const OUTWARD: ReadonlySet<string> = new Set(['URI', 'GoToR', 'SubmitForm', 'ImportData']);
/** Actions that play media or open files in the document (ISO 32000-1, 12.6.4.4, 12.6.4.8, 12.6.4.9 and 12.6.4.13). */
const MEDIA: ReadonlySet<string> = new Set(['GoToE', 'Rendition', 'Sound', 'Movie']);
/** A rendition keeps its file in a few nested dictionaries; deeper ones are not searched. */
const MAX_DEPTH = 8;

/**
 * Removes actions from a document in place, wherever they are. `scripts` also removes actions that start programs,
 * `links` also the scripts on links; a rendition that runs a script is removed as a whole. Links within the document
 * stay.
 */
export function pruneUnwanted(context: PDFContext, { scripts, files, links }: Unwanted): PrunedActions {
  const kindOf = ({ dict, kind, link }: FoundAction): keyof PrunedActions | undefined => {
    if (kind === 'Launch') return scripts || links ? 'launches' : undefined;
    const runs = kind === 'JavaScript' || kind === 'RichMediaExecute' || entry(dict, 'JS') !== undefined;
    if (runs && (scripts || (links && link))) return 'scripts';
    if (kind === 'URI' && scripts && SCRIPT_ADDRESS.test(asText(context, entry(dict, 'URI')) ?? '')) return 'scripts';
    if (OUTWARD.has(kind) || (kind === 'Thread' && entry(dict, 'F') !== undefined)) return links ? 'links' : undefined;
    if (!MEDIA.has(kind)) return undefined;
    if (files) return 'media';
    return links && (kind === 'GoToE' || namesFileOutside(context, dict)) ? 'links' : undefined;
  };
  const gone = { scripts: 0, launches: 0, links: 0, media: 0 };
  const counted = new Set<PDFDict>();
  pruneActions(context, (action) => {
    const kind = kindOf(action);
    if (kind !== undefined && !counted.has(action.dict)) {
      counted.add(action.dict);
      gone[kind]++;
    }
    return kind !== undefined;
  });
  return gone;
}

/** True if the media of an action are in an external file (ISO 32000-1, 7.11.3 and 13.2.4). */
function namesFileOutside(context: PDFContext, action: PDFDict): boolean {
  const seen = new Set<PDFObject>();
  const looks = (value: PDFObject | undefined, depth: number): boolean => {
    const object = resolve(context, value);
    if (object === undefined || seen.has(object) || depth > MAX_DEPTH) return false;
    if (object instanceof PDFArray) return object.asArray().some((one) => looks(one, depth + 1));
    if (!(object instanceof PDFDict)) return false;
    seen.add(object);
    const outside =
      entry(object, 'EF') === undefined && ['F', 'UF'].some((key) => asText(context, entry(object, key)) !== undefined);
    return outside || ['R', 'C', 'D', 'N'].some((key) => looks(entry(object, key), depth + 1));
  };
  return looks(action, 0);
}
