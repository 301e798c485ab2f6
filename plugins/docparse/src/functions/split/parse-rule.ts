import { conceptOf } from '../fields/field-names.js';

/** A rule that code understands. Pages are 1-based. */
export type SplitRule =
  | { readonly kind: 'ranges'; readonly ranges: readonly { readonly from: number; readonly to: number | undefined }[] }
  | { readonly kind: 'every'; readonly pages: number }
  | { readonly kind: 'parts'; readonly parts: number }
  | { readonly kind: 'bookmarks' }
  /** `chapters`: bookmarks where there are any. */
  | { readonly kind: 'headings'; readonly chapters: boolean }
  | { readonly kind: 'blank' }
  /** `after`: a page that matches ends a part; else it begins one. */
  | { readonly kind: 'text'; readonly text: string; readonly regex: boolean; readonly after: boolean }
  /** A part goes on as long as this stays the same; `field` names it for people. */
  | { readonly kind: 'value'; readonly field: string };

const PAGE = '(?:pages?|seiten?|p[áa]ginas?|blatt|sheets?)';
const EVERY = '(?:every|each|alle|jede[nrs]?|je|toutes les|chaque|cada|todas las|after every|nach je(?:weils)?)';
const AFTER = /\b(?:after|behind|ends? with|nach|endet mit|apr[èe]s|despu[ée]s de)\b/iu;
const MAX_RANGES = 1000;
const NUMBERS: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  zwei: 2,
  drei: 3,
  vier: 4,
  fünf: 5,
  sechs: 6,
  zehn: 10,
  deux: 2,
  trois: 3,
  quatre: 4,
  cinq: 5,
  dix: 10,
  dos: 2,
  tres: 3,
  cuatro: 4,
  cinco: 5,
  diez: 10,
};
const COUNT = `(\\d{1,5}|${Object.keys(NUMBERS).join('|')})`;
const countOf = (text = ''): number => NUMBERS[text.toLowerCase()] ?? Number(text);

/** Reads a rule in English, German, French or Spanish; undefined for what is not understood. */
export function parseRule(rule: string): SplitRule | undefined {
  const text = rule.replace(/\s+/g, ' ').trim();
  // Quoted text is searched literally.
  const expression = /(?:^|\s)\/(.+)\/[a-z]*(?:$|[\s.,;])/u.exec(text)?.[1];
  if (expression !== undefined)
    return {
      kind: 'text',
      text: expression,
      regex: true,
      after: AFTER.test(text.slice(0, text.indexOf(`/${expression}`))),
    };
  const quoted =
    /["\u201c\u201e\u00ab]\s*([^"\u201c\u201d\u00bb]{1,500}?)\s*["\u201c\u201d\u00bb]|(?:^|\s)['\u2018\u201a]([^'\u2018\u2019]{1,500})['\u2019](?=$|[\s.,;])/u.exec(
      text,
    );
  const looked = quoted?.[1] ?? quoted?.[2];
  if (looked !== undefined && looked.trim() !== '')
    return { kind: 'text', text: looked.trim(), regex: false, after: AFTER.test(text.slice(0, quoted?.index)) };
  return rangesOf(text) ?? countedOf(text) ?? namedOf(text);
}

function rangesOf(text: string): SplitRule | undefined {
  const bare = text.replace(
    new RegExp(
      `^(?:split|teile|aufteilen|diviser|dividir)?\\s*(?:into|in|by|en|nach)?\\s*(?:the\\s+)?${PAGE}?\\s*:?\\s*(?=\\d)`,
      'iu',
    ),
    '',
  );
  const items = bare
    .split(new RegExp(`\\s*(?:,|;|\\band\\b|\\bund\\b|\\bet\\b|\\by\\b)\\s*(?:then\\s+)?(?:${PAGE}\\s*)?`, 'iu'))
    .filter((item) => item !== '');
  const ranges = items.map((item) =>
    /^(\d{1,6})\s*(?:(?:-|\u2013|\bto\b|\bbis\b|\bà\b|\ba\b)\s*(\d{1,6}|end|ende|fin|last)?)?\.?$/iu.exec(item),
  );
  if (items.length === 0 || items.length > MAX_RANGES || ranges.some((range) => range === null)) return undefined;
  // Nobody writes a single number as a range.
  if (items.length === 1 && /^\d+\.?$/.test(items[0]!)) return undefined;
  return {
    kind: 'ranges',
    ranges: ranges.map((range, i) => ({
      from: Number(range![1]),
      to: /\d/.test(range![2] ?? '') ? Number(range![2]) : /^\d+\.?$/.test(items[i]!) ? Number(range![1]) : undefined,
    })),
  };
}

function countedOf(text: string): SplitRule | undefined {
  const every = new RegExp(
    `\\b${EVERY}\\s+${COUNT}[\\s-]+${PAGE}\\b|\\b${COUNT}[\\s-]+${PAGE}` +
      `\\s+(?:each|per|pro|par|por|je)\\b|\\b(?:parts|chunks|files|teile|documents?)\\s+(?:of|von|zu|de)\\s+` +
      `${COUNT}\\s+${PAGE}`,
    'iu',
  ).exec(text);
  const pages = countOf(every?.[1] ?? every?.[2] ?? every?.[3]);
  if (every !== null && pages > 0) return { kind: 'every', pages };
  if (
    new RegExp(
      `\\b(?:(?:${EVERY}|per|pro|par|by|into single|single|individual|einzelne|nach)\\s+(?:single |einzelne ` +
        `)?${PAGE})\\b`,
      'iu',
    ).test(text) &&
    !/\b(?:where|with|that|which|containing|wo|mit|o[ùu]|donde|con|avec)\b/iu.test(text)
  )
    return { kind: 'every', pages: 1 };
  const parts = new RegExp(
    `\\b(?:in|into|en)\\s+${COUNT}` +
      `\\s+(?:equal\\s+|gleiche\\s+)?(?:parts?|pieces|files|documents|teile?|st[üu]cke|parties|partes)\\b`,
    'iu',
  ).exec(text);
  const count = countOf(parts?.[1]);
  return parts !== null && count > 0 ? { kind: 'parts', parts: count } : undefined;
}

function namedOf(text: string): SplitRule | undefined {
  if (
    /\b(?:blank|empty)\s+(?:page|sheet|separator)|\bleere?n?\s+(?:seite|blatt)|\bleerseite|\bpages?\s+(?:blanche|vide)|\bp[áa]ginas?\s+(?:en blanco|vac[íi]a)/iu.test(
      text,
    )
  )
    return { kind: 'blank' };
  const value =
    /\b(?:per|by|for each|each|every|pro|je|nach|f[üu]r jede[nrs]?|jede[nrs]?|par|por|chaque|cada|(?:when|whenever|if) the|(?:new|neue[nrs]?|nouveau|nouvelle|nuevo|nueva))\s+(?:different |new |neue[nrs]? |distinct )?([\p{L}.°º'-]+(?:\s[\p{L}.°º'-]+){0,3})/iu.exec(
      text,
    );
  const words = value?.[1]?.replace(/[.]$/, '').split(' ') ?? [];
  for (let length = words.length; length > 0; length--) {
    const name = words.slice(0, length).join(' ');
    const concept = conceptOf(name) ?? conceptOf(name.replace(/s$/i, ''));
    if (concept !== undefined && /Number$|Id$|^iban$|^customer$|^email$|Name$|^name$|Date$/.test(concept))
      return { kind: 'value', field: concept };
  }
  if (/\b(?:bookmarks?|outlines?|lesezeichen|gliederung|signets?|marcadores?)\b/iu.test(text))
    return { kind: 'bookmarks' };
  const chapters = /\b(?:chapters?|kapiteln?|chapitres?|cap[íi]tulos?)\b/iu.test(text);
  if (
    chapters ||
    /\b(?:headings?|headlines?|sections?|titles?|[üu]berschrift(?:en)?|abschnitte?n?|titres?|t[íi]tulos?|secci[óo]n(?:es)?)\b/iu.test(
      text,
    )
  )
    return { kind: 'headings', chapters };
  return undefined;
}
