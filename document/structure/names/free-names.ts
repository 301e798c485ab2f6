import { type PDFContext, PDFArray, PDFDict, type PDFObject, PDFStream } from 'pdf-lib';
import { resolve } from '../../file/objects/index.js';

/** Returns `name`, or `name_2`, `name_3` … if it is taken; `start` is the first number that is tried. */
export function freeName(name: string, taken: { has(name: string): boolean }, start = 2): string {
  let free = name;
  for (let n = start; taken.has(free); n++) free = `${name}_${n}`;
  return free;
}

/** Does the same for the byte string of a name tree key, which may be UTF-16 (ISO 32000-1, 7.9.2.2). */
export function freeByteString(name: string, taken: { has(name: string): boolean }, start = 2): string {
  const wide = name.startsWith('\xfe\xff');
  let free = name;
  for (let n = start; taken.has(free); n++) free = name + (wide ? [...`_${n}`].map((c) => `\0${c}`).join('') : `_${n}`);
  return free;
}

/**
 * Returns a text that is equal for equal objects of different documents. Streams, and objects below `depth`, are never
 * equal: an unnecessary rename is harmless, a wrong match is not.
 */
export function fingerprint(context: PDFContext, value: PDFObject | undefined, depth = 5): string | undefined {
  const object = resolve(context, value);
  if (object === undefined) return 'null';
  if (object instanceof PDFStream || depth === 0) return undefined;
  if (object instanceof PDFArray)
    return joined(
      object.asArray().map((item) => fingerprint(context, item, depth - 1)),
      '[',
      ']',
    );
  if (object instanceof PDFDict) {
    const parts = object.entries().map(([key, item]) => {
      const text = fingerprint(context, item, depth - 1);
      return text === undefined ? undefined : `${key.toString()} ${text}`;
    });
    return joined(parts.sort(), '<<', '>>');
  }
  return object.toString();
}

function joined(parts: readonly (string | undefined)[], open: string, close: string): string | undefined {
  return parts.includes(undefined) ? undefined : `${open}${parts.join(' ')}${close}`;
}
