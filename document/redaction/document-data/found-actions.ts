import { PDFArray, type PDFContext, PDFDict, type PDFObject, PDFRawStream } from 'pdf-lib';
import { isString, nameText, resolve } from '../../file/objects/index.js';
import { type FoundAction, pruneActions } from '../../structure/actions/index.js';
import { decodedBytes, isFoundInAddress, isFoundInBytes } from './found-in.js';
import type { TextFinder } from './text-finder.js';
import { readString } from './text-string.js';

/** References by name, which are renamed elsewhere, and the actions that follow. */
const CALLS: ReadonlySet<string> = new Set(['D', 'T', 'Fields', 'Next', 'SD']);
const MAX_DEPTH = 20;

/**
 * Removes actions that contain found text, in place: a script, address or file name that is cut would do something
 * else. Returns the number of removed actions.
 */
export function dropFoundActions(context: PDFContext, find: TextFinder): number {
  const judged = new Map<PDFDict, boolean>();
  const holds = (value: PDFObject | undefined, depth: number): boolean => {
    const object = resolve(context, value);
    if (isString(object)) return isFoundInAddress(readString(object).text, find);
    if (object instanceof PDFRawStream) {
      const bytes = decodedBytes(context, object);
      // A script that cannot be read may contain anything, so it is removed.
      return bytes === undefined || isFoundInBytes(bytes, find);
    }
    if (depth > MAX_DEPTH) return false;
    if (object instanceof PDFArray) return object.asArray().some((one) => holds(one, depth + 1));
    return object instanceof PDFDict && entriesHold(object, depth + 1);
  };
  // Only the action's own dictionaries are inspected; a page or annotation that it refers to is not part of it.
  const entriesHold = (dict: PDFDict, depth: number): boolean =>
    depth <= 2 &&
    dict
      .entries()
      .some(
        ([key, value]) =>
          !CALLS.has(nameText(key)) && (depth < 2 || isString(resolve(context, value))) && holds(value, depth),
      );
  return pruneActions(context, ({ dict }: FoundAction) => {
    const known = judged.get(dict);
    if (known !== undefined) return known;
    const found = entriesHold(dict, 0);
    judged.set(dict, found);
    return found;
  });
}
