import { PDFArray, PDFDict, PDFName, PDFNumber, type PDFObject, PDFRawStream, PDFRef } from 'pdf-lib';
import { isString } from '../file/objects/index.js';

/**
 * True when two objects say the same, whatever the order of their keys; references are the same when they name the same
 * object.
 */
export function sameObject(a: PDFObject | undefined, b: PDFObject | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  if (a instanceof PDFRef || b instanceof PDFRef || a instanceof PDFName || b instanceof PDFName) return false;
  if (a instanceof PDFNumber) return b instanceof PDFNumber && a.asNumber() === b.asNumber();
  if (isString(a)) return isString(b) && Buffer.from(a.asBytes()).equals(b.asBytes());
  if (a instanceof PDFArray)
    return (
      b instanceof PDFArray && a.size() === b.size() && a.asArray().every((value, i) => sameObject(value, b.get(i)))
    );
  if (a instanceof PDFDict) return b instanceof PDFDict && differingKeys(a, b).length === 0;
  if (a instanceof PDFRawStream)
    return (
      b instanceof PDFRawStream && sameObject(a.dict, b.dict) && Buffer.from(a.getContents()).equals(b.getContents())
    );
  return a.constructor === b.constructor && a.toString() === b.toString();
}

/** The keys under which two dictionaries differ, those that one of them lacks among them. */
export function differingKeys(a: PDFDict, b: PDFDict): string[] {
  const keys = new Set([...a.keys(), ...b.keys()]);
  return [...keys].filter((key) => !sameObject(a.get(key), b.get(key))).map((key) => key.decodeText());
}
