import { asText, entry, resolve } from '@quire/document/file/objects';
import { type FoundAction, pruneActions } from '@quire/document/structure/actions';
import { PDFArray, type PDFContext, PDFDict, type PDFObject } from 'pdf-lib';

/** Which kinds of actions are to go. */
export interface Unwanted {
  readonly scripts: boolean;
  readonly files: boolean;
  readonly links: boolean;
}

/**
 * How many went: scripts, what starts programs, what leads or sends out of the document, what plays or opens a file
 * within it.
 */
export interface PrunedActions {
  readonly scripts: number;
  readonly launches: number;
  readonly links: number;
  readonly media: number;
}

/** Addresses that are scripts, or may hold one. */
const SCRIPT_ADDRESS = /^[\s\0-\x1f]*(?:javascript|vbscript|data):/i;
/** Actions that lead or send out of the document (ISO 32000-1, 12.6.4.3, 12.6.4.7 and 12.7.5). */
const OUTWARD: ReadonlySet<string> = new Set(['URI', 'GoToR', 'SubmitForm', 'ImportData']);
/**
 * Actions that play media or open files within the document (ISO 32000-1, 12.6.4.4, 12.6.4.8, 12.6.4.9 and 12.6.4.13).
 */
const MEDIA: ReadonlySet<string> = new Set(['GoToE', 'Rendition', 'Sound', 'Movie']);
/** Where a rendition or its like keeps its file: some dictionaries within each other. */
const MAX_DEPTH = 8;

/**
 * Takes actions out of a document in place, wherever they hang. With scripts goes what starts programs, with links what
 * links run; a rendition that runs a script goes as one. What leads to another place of the document stays.
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

/** True when the media that an action plays are a file outside of the document (ISO 32000-1, 7.11.3 and 13.2.4). */
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
