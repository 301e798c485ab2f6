import type { Sentence } from '../violation.js';

/** What a VAT category demands; the families of rules (`vat-families.ts`) are generated from this. */
export interface VatCategory {
  /** The part of the rule ids: `BR-S-01`. The standard's BR-IG and BR-IP are BR-AF and BR-AG in the published tests. */
  readonly family: 'S' | 'Z' | 'E' | 'AE' | 'IC' | 'G' | 'O' | 'AF' | 'AG';
  /** UNTDID 5305. */
  readonly code: string;
  readonly name: Sentence;
  /** How many entries the VAT breakdown has for it. */
  readonly entries: 'exactly one' | 'at least one';
  /** Who must be identified, and how; `none`: no VAT identifier may be given. */
  readonly identified: 'seller' | 'seller and buyer' | 'seller by VAT' | 'seller and buyer by VAT' | 'none';
  /** `> 0 in CII`: the test for CII demands more than the standard does. */
  readonly rate: '0' | '> 0' | '>= 0' | '> 0 in CII' | 'absent';
  /** Rate by rate; otherwise the tax is 0. */
  readonly taxed: boolean;
  /** Whether the breakdown must say why there is no VAT; otherwise it may not. */
  readonly exemptionReason: boolean;
}

const untaxed = { entries: 'exactly one', rate: '0', taxed: false, exemptionReason: true } as const;

/** EN 16931-1, 6.4.4 (table of VAT categories). */
export const vatCategories: readonly VatCategory[] = [
  {
    family: 'S',
    code: 'S',
    name: { en: 'S (standard rate)', de: 'S (Regelsteuersatz)' },
    entries: 'at least one',
    identified: 'seller',
    rate: '> 0',
    taxed: true,
    exemptionReason: false,
  },
  {
    ...untaxed,
    family: 'Z',
    code: 'Z',
    name: { en: 'Z (zero rate)', de: 'Z (Nullsatz)' },
    identified: 'seller',
    exemptionReason: false,
  },
  { ...untaxed, family: 'E', code: 'E', name: { en: 'E (exempt)', de: 'E (steuerbefreit)' }, identified: 'seller' },
  {
    ...untaxed,
    family: 'AE',
    code: 'AE',
    name: { en: 'AE (reverse charge)', de: 'AE (Umkehrung der Steuerschuldnerschaft)' },
    identified: 'seller and buyer',
  },
  {
    ...untaxed,
    family: 'IC',
    code: 'K',
    name: { en: 'K (intra-community supply)', de: 'K (innergemeinschaftliche Lieferung)' },
    identified: 'seller and buyer by VAT',
  },
  { ...untaxed, family: 'G', code: 'G', name: { en: 'G (export)', de: 'G (Ausfuhr)' }, identified: 'seller by VAT' },
  {
    ...untaxed,
    family: 'O',
    code: 'O',
    name: { en: 'O (outside the scope of VAT)', de: 'O (nicht steuerbar)' },
    identified: 'none',
    rate: 'absent',
  },
  {
    family: 'AF',
    code: 'L',
    name: { en: 'L (IGIC, Canary Islands)', de: 'L (IGIC, Kanarische Inseln)' },
    entries: 'at least one',
    identified: 'seller',
    rate: '> 0 in CII',
    taxed: true,
    exemptionReason: false,
  },
  {
    family: 'AG',
    code: 'M',
    name: { en: 'M (IPSI, Ceuta and Melilla)', de: 'M (IPSI, Ceuta und Melilla)' },
    entries: 'at least one',
    identified: 'seller',
    rate: '>= 0',
    taxed: true,
    exemptionReason: false,
  },
];
