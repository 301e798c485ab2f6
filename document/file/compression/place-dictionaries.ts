import { PDFArray, type PDFContext, PDFDict, PDFName, type PDFObject, type PDFRawStream, PDFRef } from 'pdf-lib';
import { lookupRef } from '../objects/index.js';

const [RESOURCES, ATTRIBUTES, PARENT, STRUCTURE_TYPE, OWNER] = [
  PDFName.of('Resources'),
  PDFName.of('A'),
  PDFName.of('P'),
  PDFName.of('S'),
  PDFName.of('O'),
] as const;
/** As pdf-lib writes it: a shorter dictionary takes no more bytes than an object and a reference to it. */
const MIN_RESOURCE_BYTES = 60;

/**
 * Makes the resources of forms and patterns objects of their own, in place: these are compressed in object streams,
 * where the dictionary of a stream is not. Equal resources become one object.
 */
export function separateResources(context: PDFContext, streams: Iterable<readonly [PDFRef, PDFRawStream]>): void {
  const known = new Map<string, PDFRef>();
  for (const [, { dict }] of streams) {
    const resources = dict.get(RESOURCES);
    if (!(resources instanceof PDFDict) || resources.sizeInBytes() < MIN_RESOURCE_BYTES) continue;
    const text = resources.toString();
    const ref = known.get(text) ?? context.register(resources);
    known.set(text, ref);
    dict.set(RESOURCES, ref);
  }
}

/**
 * Puts the attributes of structure elements (ISO 32000-1, 14.7.5) that are objects of their own, and used once, into
 * their elements, in place. LibreOffice makes such an object for every element.
 */
export function insertAttributes(context: PDFContext, objects: Iterable<readonly [PDFRef, PDFObject]>): void {
  const uses = new Map<PDFRef, number>();
  const count = (value: PDFObject | undefined): void => {
    if (value instanceof PDFRef) uses.set(value, (uses.get(value) ?? 0) + 1);
  };
  const elements: PDFDict[] = [];
  for (const [, object] of objects) {
    if (!(object instanceof PDFDict) || !object.has(STRUCTURE_TYPE) || !object.has(PARENT)) continue;
    const attributes = object.get(ATTRIBUTES);
    if (attributes === undefined) continue;
    elements.push(object);
    if (attributes instanceof PDFArray) attributes.asArray().forEach(count);
    else count(attributes);
  }
  const inside = (value: PDFObject | undefined): PDFDict | undefined => {
    const object = value instanceof PDFRef && uses.get(value) === 1 ? lookupRef(context, value) : undefined;
    // An element, in a damaged file, could come to contain itself.
    return object instanceof PDFDict && object.has(OWNER) && !object.has(STRUCTURE_TYPE) ? object : undefined;
  };
  for (const element of elements) {
    const attributes = element.get(ATTRIBUTES);
    const only = inside(attributes);
    if (only !== undefined) element.set(ATTRIBUTES, only);
    else if (attributes instanceof PDFArray)
      attributes.asArray().forEach((value, index) => {
        const one = inside(value);
        if (one !== undefined) attributes.set(index, one);
      });
  }
}
