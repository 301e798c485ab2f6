import type { RelativeDistinguishedNames } from 'pkijs';

/** Short names of RFC 2253, 2.3; other types are written as their object identifier. */
const shortNames: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN', '2.5.4.7': 'L', '2.5.4.8': 'ST', '2.5.4.10': 'O', '2.5.4.11': 'OU', '2.5.4.6': 'C', '2.5.4.9': 'STREET',
  '0.9.2342.19200300.100.1.25': 'DC', '0.9.2342.19200300.100.1.1': 'UID',
};
const COMMON_NAME = '2.5.4.3';

/** A name as text of RFC 2253: the last part comes first (2.1). */
export function nameText(name: RelativeDistinguishedNames): string {
  return name.typesAndValues.map(({ type, value }) => {
    const text: unknown = value.valueBlock.value;
    const short = shortNames[type];
    if (short !== undefined && typeof text === 'string') return `${short}=${escapeValue(text)}`;
    return `${type}=#${Buffer.from(value.toBER(false)).toString('hex')}`;
  }).reverse().join(',');
}

/** The common name, the most special one where there are several; null where there is none. */
export function commonName(name: RelativeDistinguishedNames): string | null {
  const text: unknown = name.typesAndValues.findLast(({ type }) => type === COMMON_NAME)?.value.valueBlock.value;
  return typeof text === 'string' && text.trim() !== '' ? text : null;
}

// RFC 2253, 2.4.
function escapeValue(text: string): string {
  return text.replace(/[,+"\\<>;]/g, '\\$&').replace(/^[ #]/, '\\$&').replace(/ $/, '\\ ');
}
