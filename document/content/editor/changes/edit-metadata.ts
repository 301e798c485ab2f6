import type { PDFContext } from 'pdf-lib';
import { catalogOf, setEntry } from '../../../file/objects/index.js';
import { changeInfo, withdrawClaims, writeXmp } from '../../../structure/metadata/index.js';
import type { JsonMetadata } from '../model.js';

const KEYS = [
  ['title', 'Title'],
  ['author', 'Author'],
  ['subject', 'Subject'],
  ['keywords', 'Keywords'],
  ['creator', 'Creator'],
  ['producer', 'Producer'],
] as const;
const DATES = [
  ['creationDate', 'CreationDate'],
  ['modificationDate', 'ModDate'],
] as const;

/** Updates metadata where the JSON differs from `was`; XMP follows. Invalid dates are left out. */
export function editMetadata(context: PDFContext, was: JsonMetadata, now: JsonMetadata): void {
  const changes: Record<string, string | Date> = {};
  for (const [member, key] of KEYS)
    if (now[member] !== undefined && now[member] !== was[member]) changes[key] = now[member];
  for (const [member, key] of DATES) {
    const text = now[member];
    const time = text === undefined || text === was[member] ? undefined : new Date(text);
    if (time !== undefined && Number.isFinite(time.getTime())) changes[key] = time;
  }
  if (now.trapped !== undefined && now.trapped !== was.trapped && /^(True|False|Unknown)$/.test(now.trapped))
    changes['Trapped'] = now.trapped;
  if (Object.keys(changes).length > 0) changeInfo(context, changes);
}

/**
 * Sets the XMP packet of a new document. Conformance claims are removed: tags, output intents and other requirements
 * are not in the JSON.
 */
export function setXmp(context: PDFContext, packet: Uint8Array): void {
  const catalog = catalogOf(context);
  if (catalog === undefined || packet.length === 0) return;
  setEntry(catalog, 'Metadata', writeXmp(context, Buffer.from(packet).toString('utf8')));
  withdrawClaims(context, ['PDF/A', 'PDF/UA', 'PDF/X', 'PDF/E', 'PDF/VT']);
}
