import { type PaintedPage } from './painted-pages.js';

export interface Case {
  readonly page: PaintedPage;
  readonly term: string;
  /** Bytes that no stream or string may contain afterwards. */
  readonly gone: readonly string[];
  readonly stays?: string;
  readonly regex?: true;
  readonly matches?: number;
}
const hebrew = { 1: 'ש', 2: 'ל', 3: 'ו', 4: 'ם' };
export const cases: Readonly<Record<string, Case>> = {
  'words split over several show operators': {
    page: { content: 'BT /H 12 Tf 50 200 Td (A confi) Tj (den) Tj (tial note) Tj ET' },
    term: 'confidential',
    gone: ['confi', '(den)', 'tial'],
    stays: 'note',
  },
  'words kerned in an array': {
    page: { content: 'BT /H 12 Tf 50 200 Td [(A co) 40 (nf) -30 (ident) 20 (ial) -250 (note)] TJ ET' },
    term: 'confidential',
    gone: ['(nf)', 'ident'],
    stays: 'note',
  },
  'words painted letter by letter, out of order': {
    page: {
      content:
        'BT /H 12 Tf 1 0 0 1 50 200 Tm (sec) Tj 1 0 0 1 50 100 Tm (other line) Tj 1 0 0 1 69.3 200 Tm (ret) Tj ET',
    },
    term: 'secret',
    gone: ['(sec)', '(ret)'],
    stays: 'other line',
  },
  'letters spaced out by the text state and by blanks': {
    page: { content: 'BT /H 12 Tf 8 Tc 50 200 Td (secret) Tj 0 Tc 0 -40 Td (s e c r e t word) Tj ET' },
    term: 'secret',
    gone: ['secret', 's e c r'],
    stays: 'word',
    matches: 2,
  },
  'words hyphenated at a line end': {
    page: { content: 'BT /H 12 Tf 14 TL 50 200 Td (a confi-) Tj T* (dential note) Tj ET' },
    term: 'confidential',
    gone: ['confi', 'dential'],
    stays: 'note',
  },
  'phrases that cross lines': {
    page: { content: "BT /H 12 Tf 14 TL 50 200 Td (for Jane) Tj (Roe stays) ' ET" },
    term: 'Jane Roe',
    gone: ['Jane', 'Roe'],
    stays: 'stays',
  },
  'text in forms within forms': {
    page: {
      content: 'q 1 0 0 1 20 20 cm /F Do Q',
      forms: {
        F: {
          content: 'BT /H 12 Tf 10 10 Td (open) Tj ET /G Do',
          matrix: [1, 0, 0, 1, 5, 5],
          forms: {
            G: { content: 'BT /H 12 Tf 80 80 Td (a secret word) Tj ET', matrix: [0.8, 0.6, -0.6, 0.8, 60, 0] },
          },
        },
      },
    },
    term: 'secret',
    gone: ['secret'],
    stays: 'open',
  },
  'text painted twice to look bold': {
    page: {
      content:
        'BT /H 12 Tf 50 200 Td (s) Tj -6 0.1 Td 6.2 0 Td (s) Tj 6 0 Td (ecret) Tj -6.2 0 Td 6.4 0 Td (ecret) Tj ' +
        'ET BT /H 12 Tf 50 100 Td (open) Tj ET',
    },
    term: 'secret',
    gone: ['ecret'],
    stays: 'open',
  },
  'text of a rotated page that is cropped and magnified': {
    page: {
      content: 'BT /H 12 Tf 0 1 -1 0 200 120 Tm (a secret word) Tj ET',
      entries: { Rotate: 90, CropBox: [100, 100, 300, 250], UserUnit: 2 },
    },
    term: 'secret',
    gone: ['secret'],
    stays: 'word',
  },
  'invisible text, and text outside the crop box': {
    page: {
      content: 'BT /H 12 Tf 3 Tr 50 200 Td (hidden secret) Tj 0 Tr 500 0 Td (secret beyond) Tj ET',
      entries: { CropBox: [0, 0, 400, 300] },
    },
    term: 'secret',
    gone: ['secret'],
    stays: 'hidden',
    matches: 2,
  },
  'ligatures by glyph name, without ToUnicode': {
    page: {
      content: 'BT /N 12 Tf 50 200 Td (\\001\\002\\003) Tj /H 12 Tf ( open) Tj ET',
      fonts: { N: { codes: { 1: 'o', 2: 'ffi', 3: 'c' }, names: true } },
    },
    term: 'offic',
    gone: ['\\001\\002\\003', '<010203>'],
    stays: 'open',
  },
  'ligatures by ToUnicode': {
    page: {
      content: 'BT /U 12 Tf 50 200 Td (AB) Tj /H 12 Tf ( open) Tj ET',
      fonts: { U: { codes: { 65: 'de', 66: '\ufb01ne' } } },
    },
    term: 'define',
    gone: ['(AB)'],
    stays: 'open',
  },
  'composed letters that are painted decomposed': {
    page: {
      content: 'BT /U 12 Tf 50 200 Td (ABC) Tj ET',
      fonts: { U: { codes: { 65: 'caf', 66: 'e', 67: '\u0301' } } },
    },
    term: 'CAFÉ',
    gone: ['(ABC)'],
  },
  'accents painted over letters': {
    page: {
      content: 'BT /U 12 Tf 50 200 Td [(AB) 500 (C)] TJ ET',
      fonts: { U: { codes: { 65: 'm', 66: '\u00a8', 67: 'u' } } },
    },
    term: 'mü',
    gone: ['(AB)'],
  },
  'full-width letters': {
    page: { content: 'BT /U 12 Tf 50 200 Td (ABC) Tj ET', fonts: { U: { codes: { 65: 'ｔ', 66: 'ｏ', 67: 'ｐ' } } } },
    term: 'top',
    gone: ['(ABC)'],
  },
  'words from right to left, painted from the left': {
    page: {
      content: 'BT /U 12 Tf 50 200 Td (DCBA) Tj ET BT /H 12 Tf 50 100 Td (open) Tj ET',
      fonts: { U: { codes: { 65: hebrew[1], 66: hebrew[2], 67: hebrew[3], 68: hebrew[4] } } },
    },
    term: 'שלום',
    gone: ['(DCBA)'],
    stays: 'open',
  },
  'words from right to left, painted as they are spoken': {
    page: {
      content:
        'BT /U 12 Tf 1 0 0 1 68 200 Tm (A) Tj 1 0 0 1 62 200 Tm (B) Tj 1 0 0 1 56 200 Tm (C) Tj 1 0 0 1 50 200 ' +
        'Tm (D) Tj ET',
      fonts: { U: { codes: { 65: hebrew[1], 66: hebrew[2], 67: hebrew[3], 68: hebrew[4] } } },
    },
    term: 'שלום',
    gone: ['(A) Tj', '(B)', '(C)', '(D)'],
  },
  'Arabic in presentation forms': {
    page: {
      content: 'BT /U 12 Tf 50 200 Td (CBA) Tj ET',
      fonts: { U: { codes: { 65: '\ufeb3', 66: '\ufeae', 67: '\ufef1' } } },
    },
    term: 'سري',
    gone: ['(CBA)'],
  },
  'Chinese over a line end': {
    page: {
      content: 'BT /U 12 Tf 14 TL 50 200 Td (A) Tj T* (B) Tj ET',
      fonts: { U: { codes: { 65: '机', 66: '密' } } },
    },
    term: '机密',
    gone: ['(A)', '(B)'],
  },
  'text that /ActualText spells, and glyphs that it hides': {
    page: {
      content:
        'BT /H 12 Tf 50 200 Td /Span <</ActualText (secret)>> BDC (xyz) Tj EMC 0 -30 Td /Span <</ActualText (abc)' +
        '>> BDC (secret) Tj EMC ET',
    },
    term: 'secret',
    gone: ['secret', '(xyz)', '(abc)'],
    matches: 2,
  },
  patterns: {
    page: { content: 'BT /H 12 Tf 50 200 Td (number 123) Tj (-45-6789 stays) Tj ET' },
    term: '\\b\\d{3}-\\d{2}-\\d{4}\\b',
    regex: true,
    gone: ['number 123', '45-6789'],
    stays: 'stays',
  },
  'patterns with multiple blanks between words': {
    page: { content: 'BT /H 12 Tf 50 200 Td (Jane    Roe stays) Tj ET' },
    term: 'Jane Roe',
    regex: true,
    gone: ['Jane', 'Roe'],
    stays: 'stays',
  },
  'a pattern that matches everything': {
    page: { content: 'BT /H 12 Tf 50 200 Td (all of it) Tj 0 -20 Td (goes) Tj ET' },
    term: '.*',
    regex: true,
    gone: ['all of', 'goes'],
    matches: 2,
  },
};
