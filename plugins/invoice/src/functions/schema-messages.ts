import type { Sentence } from '@quire/document/invoices/rules';

/** `{urn:…}ID` and `'{urn:…}ID'` without the namespace. */
const plain = (text: string): string => text.replaceAll(/\{[^}]*\}/g, '').trim();

const names = (list: string): string[] =>
  list
    .split(',')
    .map(plain)
    .filter((name) => name !== '' && name !== '##other*');

const enumeration = (list: readonly string[], or: string): string =>
  list.length < 2 ? (list[0] ?? '') : `${list.slice(0, -1).join(', ')} ${or} ${list.at(-1)}`;

interface Pattern {
  readonly matches: RegExp;
  sentence(parts: readonly string[]): Sentence;
}

const expected = (list: string): Sentence => {
  const all = names(list).slice(0, 12);
  if (all.length === 0) return { en: '', de: '' };
  return {
    en: ` ${enumeration(all, 'or')} may stand here.`,
    de: ` Hier darf ${enumeration(all, 'oder')} stehen.`,
  };
};

/** The messages of libxml2's schema validator, most frequent first. Names arrive with namespaces. */
const PATTERNS: readonly Pattern[] = [
  {
    matches: /^Element '([^']+)': This element is not expected\.(?: Expected is (?:one of )?\( (.*) \)\.)?/s,
    sentence: ([element = '', list = '']) => ({
      en: `The element ${plain(element)} may not stand here, or stands in the wrong order.${expected(list).en}`,
      de: `Das Element ${plain(element)} darf hier nicht stehen oder steht in der falschen Reihenfolge.${expected(list).de}`,
    }),
  },
  {
    matches: /^Element '([^']+)': Missing child element\(s\)\.(?: Expected is (?:one of )?\( (.*) \)\.)?/s,
    sentence: ([element = '', list = '']) => ({
      en: `The element ${plain(element)} is incomplete: ${enumeration(names(list).slice(0, 12), 'or')} is missing.`,
      de: `Das Element ${plain(element)} ist unvollständig: ${enumeration(names(list).slice(0, 12), 'oder')} fehlt.`,
    }),
  },
  {
    matches: /^Element '([^']+)', attribute '([^']+)': The attribute '[^']+' is not allowed\./s,
    sentence: ([element = '', attribute = '']) => ({
      en: `The element ${plain(element)} may not have the attribute ${plain(attribute)}.`,
      de: `Das Element ${plain(element)} darf das Attribut ${plain(attribute)} nicht haben.`,
    }),
  },
  {
    matches: /^Element '([^']+)': The attribute '([^']+)' is required but missing\./s,
    sentence: ([element = '', attribute = '']) => ({
      en: `The element ${plain(element)} lacks the attribute ${plain(attribute)}.`,
      de: `Dem Element ${plain(element)} fehlt das Attribut ${plain(attribute)}.`,
    }),
  },
  {
    matches: /^Element '([^']+)'(?:, attribute '([^']+)')?: '(.*)' is not a valid value of .*type '([^']+)'\./s,
    sentence: ([element = '', attribute = '', value = '', type = '']) => notOfType(element, attribute, value, type),
  },
  {
    matches: /^Element '([^']+)': No matching global declaration available/s,
    sentence: ([element = '']) => ({
      en: `The element ${plain(element)} is not the root of an invoice in this syntax.`,
      de: `Das Element ${plain(element)} ist nicht die Wurzel einer Rechnung in dieser Syntax.`,
    }),
  },
  {
    matches: /^Element '([^']+)': (?:Character content|Element content) .*not allowed/s,
    sentence: ([element = '']) => ({
      en: `The element ${plain(element)} holds content that is not allowed there.`,
      de: `Das Element ${plain(element)} enthält Inhalt, der dort nicht erlaubt ist.`,
    }),
  },
];

const TYPES: Readonly<Record<string, Sentence>> = {
  'xs:decimal': {
    en: 'a number with a decimal point and without thousands separators, such as 1234.50',
    de: 'eine Zahl mit Dezimalpunkt und ohne Tausendertrennzeichen, wie 1234.50',
  },
  'xs:date': { en: 'a date that exists, written as 2026-02-28', de: 'ein Datum, das es gibt, wie 2026-02-28' },
  'xs:boolean': { en: 'true or false', de: 'true oder false' },
  'xs:base64Binary': { en: 'a file in base64', de: 'eine Datei in Base64' },
};

function notOfType(element: string, attribute: string, value: string, type: string): Sentence {
  const shown = value.length > 60 ? `${value.slice(0, 60)}…` : value;
  const holder = plain(element) + (attribute === '' ? '' : `/@${plain(attribute)}`);
  const wanted = TYPES[plain(type)] ?? {
    en: `a value of the type ${plain(type)}`,
    de: `ein Wert vom Typ ${plain(type)}`,
  };
  return {
    en: `"${shown}" in ${holder} is not ${wanted.en}.`,
    de: `„${shown}“ in ${holder} ist nicht: ${wanted.de}.`,
  };
}

/** What a message of libxml2 means, and the value that it quotes. */
export function schemaSentence(message: string): { message: Sentence; value: string | undefined } {
  for (const { matches, sentence } of PATTERNS) {
    const match = matches.exec(message);
    if (match !== null) {
      const value = /: '(.*)' is not a valid value of/s.exec(message)?.[1];
      return { message: sentence(match.slice(1).map((part) => part ?? '')), value };
    }
  }
  const text = plain(message).slice(0, 300);
  return {
    message: {
      en: `The XML does not match its schema: ${text}`,
      de: `Das XML entspricht nicht seinem Schema: ${text}`,
    },
    value: undefined,
  };
}
