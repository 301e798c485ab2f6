import { PDFArray, type PDFContext, PDFDict, type PDFObject, PDFRawStream } from 'pdf-lib';
import { isString, nameText, resolve } from '../../file/objects/index.js';
import { type HungAction, pruneActions } from '../../structure/actions/index.js';
import { decodedBytes, isFoundInAddress, isFoundInBytes } from './found-in.js';
import type { TextFinder } from './text-finder.js';
import { readString } from './text-string.js';

/** What calls something by a name that changes with it, and what comes after. */
const CALLS: ReadonlySet<string> = new Set(['D', 'T', 'Fields', 'Next', 'SD']);
const MAX_DEPTH = 20;

/**
 * Takes out actions in which something is found, in place: scripts, addresses and files cannot be cut without doing or
 * leading to something else. Gives how many went.
 */
export function dropFoundActions(context: PDFContext, find: TextFinder): number {
  const judged = new Map<PDFDict, boolean>();
  const holds = (value: PDFObject | undefined, depth: number): boolean => {
    const object = resolve(context, value);
    if (isString(object)) return isFoundInAddress(readString(object).text, find);
    if (object instanceof PDFRawStream) {
      const bytes = decodedBytes(context, object);
      // A script that cannot be read cannot be kept.
      return bytes === undefined || isFoundInBytes(bytes, find);
    }
    if (depth > MAX_DEPTH) return false;
    if (object instanceof PDFArray) return object.asArray().some((one) => holds(one, depth + 1));
    return object instanceof PDFDict && entriesHold(object, depth + 1);
  };
  // Of what an action names only its own dictionaries are looked at: an annotation or a page is no part of it.
  const entriesHold = (dict: PDFDict, depth: number): boolean =>
    depth <= 2 &&
    dict
      .entries()
      .some(
        ([key, value]) =>
          !CALLS.has(nameText(key)) && (depth < 2 || isString(resolve(context, value))) && holds(value, depth),
      );
  return pruneActions(context, ({ dict }: HungAction) => {
    const known = judged.get(dict);
    if (known !== undefined) return known;
    const found = entriesHold(dict, 0);
    judged.set(dict, found);
    return found;
  });
}
