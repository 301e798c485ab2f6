import {
  PDFArray,
  PDFBool,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNull,
  PDFNumber,
  type PDFObject,
  PDFStream,
  PDFString,
} from 'pdf-lib';
import { DeferredStream } from '../streams/index.js';
import { contentsOf } from './serialize.js';

const LENGTH = PDFName.of('Length');

/**
 * True when two objects are equal. Null entries count as absent. For streams of the file (`replaced` false), data is
 * compared only where it is in memory: data loaded on demand cannot have changed.
 */
export function sameObject(a: PDFObject, b: PDFObject, replaced: boolean): boolean {
  if (a === b) return true;
  if (a instanceof PDFNumber) return b instanceof PDFNumber && a.asNumber() === b.asNumber();
  if (a instanceof PDFDict) return b instanceof PDFDict && sameDict(a, b, false);
  if (a instanceof PDFArray)
    return (
      b instanceof PDFArray &&
      a.size() === b.size() &&
      a.asArray().every((each, i) => sameObject(each, b.get(i), false))
    );
  if (a instanceof PDFString) return b instanceof PDFString && a.asString() === b.asString();
  if (a instanceof PDFHexString) return b instanceof PDFHexString && a.asString() === b.asString();
  if (a instanceof PDFBool) return b instanceof PDFBool && a.asBoolean() === b.asBoolean();
  if (a instanceof PDFStream)
    return b instanceof PDFStream && sameDict(a.dict, b.dict, true) && sameContents(a, b, replaced);
  // Equal names and references are identical objects.
  return false;
}

function sameDict(a: PDFDict, b: PDFDict, ofStream: boolean): boolean {
  const counts = (key: PDFName, value: PDFObject): boolean => value !== PDFNull && !(ofStream && key === LENGTH);
  let entries = 0;
  for (const [key, value] of a.entries()) {
    if (!counts(key, value)) continue;
    entries++;
    const other = b.get(key);
    if (other === undefined || !sameObject(value, other, false)) return false;
  }
  for (const [key, value] of b.entries()) if (counts(key, value)) entries--;
  return entries === 0;
}

function sameContents(a: PDFStream, b: PDFStream, replaced: boolean): boolean {
  if (!replaced && isLate(a) && isLate(b)) return true;
  const [own, other] = [contentsOf(a), contentsOf(b)];
  if (own.length !== other.length) return false;
  return (own.buffer === other.buffer && own.byteOffset === other.byteOffset) || Buffer.compare(own, other) === 0;
}

function isLate(stream: PDFStream): boolean {
  return stream instanceof DeferredStream;
}
