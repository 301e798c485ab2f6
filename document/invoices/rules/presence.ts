import type { Invoice } from '../model/index.js';
import type { Facts } from './facts.js';
import { demands, filled, type Rule, sentence } from './rule.js';

const invoice = ({ invoice: whole }: Facts): readonly Invoice[] => [whole];

const totals = (facts: Facts) => {
  const group = facts.documentTotals;
  return group === undefined ? [] : [group];
};

/** What the invoice as a whole must have (EN 16931-1, 6.4.2: BR-1 to BR-16, BR-31 to BR-57). */
export const presenceRules: readonly Rule[] = [
  demands(
    'BR-01',
    'BT-24',
    invoice,
    ({ process }) => process?.specification,
    'filled',
    sentence(
      'The invoice does not say which specification it follows (BT-24).',
      'Die Rechnung nennt nicht, welcher Spezifikation sie folgt (BT-24).',
    ),
  ),
  demands(
    'BR-02',
    'BT-1',
    invoice,
    ({ number }) => number,
    'filled',
    sentence('The invoice has no number.', 'Die Rechnung hat keine Nummer.'),
  ),
  {
    id: 'BR-03',
    set: 'en16931',
    severity: 'fatal',
    terms: ['BT-2'],
    message: sentence('The invoice has no date.', 'Die Rechnung hat kein Datum.'),
    check: ({ invoice: { issueDate }, invoice: whole, read, family }, report) => {
      if (!filled(issueDate)) report({ at: [whole] });
      else if (family === 'cii' && read.elementOf(whole, 'issueDate')?.attributes.get('format') !== '102')
        report({
          at: [whole, 'issueDate'],
          value: issueDate,
          message: sentence(
            'The date of the invoice is not in the format 102 (year, month, day without separators).',
            'Das Rechnungsdatum steht nicht im Format 102 (Jahr, Monat, Tag ohne Trennzeichen).',
          ),
        });
    },
  },
  demands(
    'BR-04',
    'BT-3',
    invoice,
    ({ typeCode }) => typeCode,
    'filled',
    sentence('The invoice has no type code.', 'Die Rechnung hat keinen Code für ihre Art.'),
  ),
  demands(
    'BR-05',
    'BT-5',
    invoice,
    ({ currency }) => currency,
    'filled',
    sentence('The invoice does not name its currency.', 'Die Rechnung nennt ihre Währung nicht.'),
  ),
  demands(
    'BR-06',
    'BT-27',
    invoice,
    ({ seller }) => seller?.name,
    'filled',
    sentence('The name of the seller is missing.', 'Der Name des Verkäufers fehlt.'),
  ),
  demands(
    'BR-07',
    'BT-44',
    invoice,
    ({ buyer }) => buyer?.name,
    'filled',
    sentence('The name of the buyer is missing.', 'Der Name des Käufers fehlt.'),
  ),
  demands(
    'BR-08',
    'BG-5',
    invoice,
    ({ seller }) => seller?.address,
    'exists',
    sentence('The address of the seller is missing.', 'Die Anschrift des Verkäufers fehlt.'),
  ),
  demands(
    'BR-10',
    'BG-8',
    invoice,
    ({ buyer }) => buyer?.address,
    'exists',
    sentence('The address of the buyer is missing.', 'Die Anschrift des Käufers fehlt.'),
  ),
  demands(
    'BR-12',
    'BT-106',
    totals,
    ({ lines }) => lines,
    'exists',
    sentence('The total of the lines is missing.', 'Die Summe der Positionen fehlt.'),
  ),
  demands(
    'BR-13',
    'BT-109',
    totals,
    ({ withoutVat }) => withoutVat,
    'exists',
    sentence('The total without VAT is missing.', 'Der Gesamtbetrag ohne Umsatzsteuer fehlt.'),
  ),
  demands(
    'BR-14',
    'BT-112',
    totals,
    ({ withVat }) => withVat,
    'exists',
    sentence('The total including VAT is missing.', 'Der Gesamtbetrag mit Umsatzsteuer fehlt.'),
  ),
  demands(
    'BR-15',
    'BT-115',
    totals,
    ({ due }) => due,
    'exists',
    sentence('The amount due for payment is missing.', 'Der fällige Zahlbetrag fehlt.'),
  ),
  {
    id: 'BR-16',
    set: 'en16931',
    severity: 'fatal',
    terms: ['BG-25'],
    message: sentence('The invoice has no line.', 'Die Rechnung hat keine Position.'),
    check: ({ lines, invoice: whole }, report) => {
      if (lines.length === 0) report({ at: [whole] });
    },
  },
];
