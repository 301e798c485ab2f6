import { FACTUR_X_ELEMENTS } from './factur-x-elements.js';

/** An element that a type of the schemas of Factur-X has. */
export interface FacturXElement {
  /** `ram:ID` */
  readonly qname: string;
  /** A type of the table, or of a value: `Text`, `Amount`. */
  readonly type: string;
  /** `1`, `?` (0..1), `*` (0..n), `2` (0..2), `+` (1..n). */
  readonly occurs: string;
  /** Letters of the profiles that have it. */
  readonly profiles: string;
}

/** The type of the root element. */
export const FACTUR_X_ROOT = 'CrossIndustryInvoice';

let types: ReadonlyMap<string, readonly FacturXElement[]> | undefined;

/** The types of the schemas of Factur-X 1.0.8 with their elements in order; the table is read when first asked for. */
export function facturXTypes(): ReadonlyMap<string, readonly FacturXElement[]> {
  return (types ??= parseElements(FACTUR_X_ELEMENTS));
}

function parseElements(table: string): ReadonlyMap<string, readonly FacturXElement[]> {
  const parsed = new Map<string, FacturXElement[]>();
  let elements: FacturXElement[] = [];
  let prefix = 'ram';
  for (const line of table.split('\n').filter(Boolean)) {
    if (!line.startsWith('    ')) {
      prefix = line.trim() === FACTUR_X_ROOT ? 'rsm' : 'ram';
      parsed.set(line.trim(), (elements = []));
      continue;
    }
    for (const entry of line.split(',').filter((text) => text.trim() !== '')) {
      const [name = '', type = '', occurs = '', profiles = 'mwbex'] = entry.trim().split(' ');
      elements.push({ qname: `${prefix}:${name}`, type, occurs, profiles });
    }
  }
  return parsed;
}
