export { readInvoice, readInvoiceElement, type ReadInvoice } from './read-invoice.js';
export type { Place } from './reading/places.js';
export type { Unread } from './reading/unread.js';
export {
  isReadable,
  kindOf,
  recogniseRoot,
  ROOT_HEAD_BYTES,
  type ForeignKind,
  type RecognisedRoot,
  type Syntax,
} from '../recognition/index.js';
export { shownValue, type Lost } from './writing/find-lost.js';
export { canHold } from './writing/profile-limits.js';
export { writeInvoice, type WriteTarget, type WrittenInvoice } from './write-invoice.js';
export { InvoiceXmlError, parseInvoiceXml, qualifiedName, XmlElement } from './xml/index.js';
