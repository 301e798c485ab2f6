import {
  type BaseBlock,
  BmpString,
  IA5String,
  NumericString,
  PrintableString,
  TeletexString,
  UniversalString,
  Utf8String,
  VisibleString,
} from 'asn1js';
import { inner, oidOf, parseAsn1 } from '../asn1/read-asn1.js';

/** Short names of RFC 2253, 2.3; other types are written as their object identifier. */
const shortNames: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '2.5.4.6': 'C',
  '2.5.4.9': 'STREET',
  '0.9.2342.19200300.100.1.25': 'DC',
  '0.9.2342.19200300.100.1.1': 'UID',
};
const COMMON_NAME = '2.5.4.3';
const strings = [
  Utf8String,
  PrintableString,
  BmpString,
  TeletexString,
  IA5String,
  UniversalString,
  VisibleString,
  NumericString,
] as const;

/**
 * Formats a Name (RFC 5280, 4.1.2.4) in DER as RFC 2253 text, last part first (2.1). Throws RangeError for invalid DER.
 */
export function distinguishedName(der: Uint8Array): string {
  return inner(parseAsn1(der))
    .map((part) =>
      inner(part)
        .map((pair) => {
          const [type, value] = inner(pair);
          const id = oidOf(type);
          const short = shortNames[id];
          const text = textOf(value);
          return short !== undefined && text !== undefined
            ? `${short}=${escapeValue(text)}`
            : `${id}=#${Buffer.from(value?.valueBeforeDecodeView ?? []).toString('hex')}`;
        })
        .join('+'),
    )
    .reverse()
    .join(',');
}

/**
 * Returns the common name in a Name in DER, the last one if there are several; null if there is none. Throws RangeError
 * for invalid DER.
 */
export function commonNameOf(der: Uint8Array): string | null {
  const pairs = inner(parseAsn1(der)).flatMap(inner).map(inner);
  const text = textOf(pairs.findLast(([type]) => oidOf(type) === COMMON_NAME)?.[1]);
  return text === undefined || text.trim() === '' ? null : text;
}

function textOf(value: BaseBlock | undefined): string | undefined {
  const found = strings.some((kind) => value instanceof kind) ? (value as Utf8String) : undefined;
  return found?.getValue();
}

// RFC 2253, 2.4.
function escapeValue(text: string): string {
  return text
    .replace(/[,+"\\<>;]/g, '\\$&')
    .replace(/^[ #]/, '\\$&')
    .replace(/ $/, '\\ ');
}
