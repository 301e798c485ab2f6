const vatCategories: Readonly<Record<string, string>> = {
  S: /* t */ 'Standard rate',
  Z: /* t */ 'Zero rated',
  E: /* t */ 'Exempt from VAT',
  AE: /* t */ 'Reverse charge',
  K: /* t */ 'Intra-community supply',
  G: /* t */ 'Export outside the EU',
  O: /* t */ 'Not subject to VAT',
};

const units: Readonly<Record<string, string>> = {
  C62: /* t */ 'one',
  H87: /* t */ 'piece',
  HUR: /* t */ 'hour',
  DAY: /* t */ 'day',
  MON: /* t */ 'month',
  ANN: /* t */ 'year',
  LS: /* t */ 'lump sum',
  KGM: /* t */ 'kilogram',
  TNE: /* t */ 'tonne',
  LTR: /* t */ 'litre',
  MTR: /* t */ 'metre',
  MTK: /* t */ 'square metre',
  MTQ: /* t */ 'cubic metre',
  KMT: /* t */ 'kilometre',
  KWH: /* t */ 'kilowatt hour',
};

/** The codes that occur most, by the keys of the terms that hold them (UNTDID 1001, 4461, 5305; UN/ECE 20 and 21). */
export const codeNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  typeCode: {
    '380': /* t */ 'Commercial invoice',
    '381': /* t */ 'Credit note',
    '384': /* t */ 'Corrected invoice',
    '326': /* t */ 'Partial invoice',
    '389': /* t */ 'Self-billed invoice',
    '875': /* t */ 'Partial construction invoice',
    '876': /* t */ 'Partial final construction invoice',
    '877': /* t */ 'Final construction invoice',
  },
  meansCode: {
    '58': /* t */ 'SEPA credit transfer',
    '30': /* t */ 'Credit transfer',
    '59': /* t */ 'SEPA direct debit',
    '48': /* t */ 'Bank card',
    '10': /* t */ 'Cash',
    '57': /* t */ 'Standing agreement',
    '1': /* t */ 'Not defined',
  },
  category: vatCategories,
  vatCategory: vatCategories,
  unit: units,
  baseQuantityUnit: units,
};
