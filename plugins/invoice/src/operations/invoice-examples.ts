import type { Term, TermType } from '@quire/document/invoices/model';

const byType: Readonly<Partial<Record<TermType, string>>> = {
  date: '2026-11-30',
  amount: '100.00',
  price: '12.50',
  quantity: '8',
  percentage: '19',
};

const byTerm: Readonly<Record<string, string>> = {
  'BT-1': 'R-2026-0042',
  'BT-3': '380',
  'BT-5': 'EUR',
  'BT-6': 'EUR',
  'BT-8': '35',
  'BT-10': '04011000-12345-03',
  'BT-12': 'C-7',
  'BT-13': 'PO-1001',
  'BT-14': 'SO-2002',
  'BT-20': 'Payable within 30 days',
  'BT-21': 'AAI',
  'BT-22': 'Thank you for your order.',
  'BT-23': 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0',
  'BT-24': 'urn:cen.eu:en16931:2017',
  'BT-25': 'R-2026-0041',
  'BT-27': 'Lieferant GmbH',
  'BT-31': 'DE123456789',
  'BT-32': '201/113/40209',
  'BT-41': 'Erika Mustermann',
  'BT-42': '+49 30 123456',
  'BT-43': 'billing@lieferant.example',
  'BT-44': 'Kunde AG',
  'BT-48': 'DE987654321',
  'BT-56': 'Max Mustermann',
  'BT-57': '+49 89 123456',
  'BT-58': 'accounts@kunde.example',
  'BT-63': 'DE111111125',
  'BT-81': '58',
  'BT-82': 'SEPA credit transfer',
  'BT-83': 'R-2026-0042',
  'BT-84': 'DE75512108001245126199',
  'BT-86': 'MARKDEF1100',
  'BT-97': 'Discount',
  'BT-98': '95',
  'BT-104': 'Freight',
  'BT-105': 'FC',
  'BT-120': 'Reverse charge',
  'BT-121': 'VATEX-EU-AE',
  'BT-122': 'Timesheet',
  'BT-124': 'https://lieferant.example/timesheet.pdf',
  'BT-126': '1',
  'BT-130': 'HUR',
  'BT-139': 'Discount',
  'BT-140': '95',
  'BT-144': 'Packing',
  'BT-145': 'ABL',
  'BT-150': 'HUR',
  'BT-153': 'Consulting',
  'BT-155': 'C-100',
  'BT-159': 'DE',
  'BT-160': 'Colour',
  'BT-161': 'Blue',
};

/** Terms that mean the same for several parties and lines, by the end of their English name. */
const byName: readonly (readonly [RegExp, string])[] = [
  [/VAT category code$/, 'S'],
  [/country code$/, 'DE'],
  [/post code$/, '10115'],
  [/ city$/, 'Berlin'],
  [/address line 1$/, 'Hauptstr. 1'],
];

/** A value that shows what a term looks like; undefined for free text that its name explains. */
export function exampleOf({ id, name, type }: Term): string | undefined {
  return byTerm[id] ?? byName.find(([ending]) => ending.test(name))?.[1] ?? byType[type];
}
