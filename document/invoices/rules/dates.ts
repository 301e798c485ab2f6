import type { Facts } from './facts.js';
import { type Report, type Rule, sentence, termsOf } from './rule.js';

interface Period {
  readonly start?: string;
  readonly end?: string;
}

/** Whether a text is a date `YYYY-MM-DD` that exists. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

const linePeriods = (facts: Facts): readonly Period[] => facts.lines.flatMap(({ period }) => period ?? []);
const documentPeriods = ({ invoice }: Facts): readonly Period[] => {
  const period = invoice.delivery?.invoicingPeriod;
  return period === undefined ? [] : [period];
};

/** The end of a period is not before its start; dates that do not exist cannot be compared and fail too. */
function inOrder(facts: Facts, periods: readonly Period[], report: Report): void {
  for (const period of periods) {
    const { start, end } = period;
    if (start === undefined || end === undefined || (isDate(start) && isDate(end) && end >= start)) continue;
    const message = sentence(
      `The period ends (${end}) before it begins (${start}), or one of the dates does not exist.`,
      `Der Zeitraum endet (${end}), bevor er beginnt (${start}), oder eines der Daten gibt es nicht.`,
    );
    report({ at: [period, 'end'], value: end, message: facts.inLine(period, message) });
  }
}

function notEmpty(facts: Facts, periods: readonly Period[], report: Report): void {
  const message = sentence(
    'A period has neither a start nor an end.',
    'Ein Zeitraum hat weder einen Anfang noch ein Ende.',
  );
  for (const period of periods)
    if (period.start === undefined && period.end === undefined)
      report({ at: [period], message: facts.inLine(period, message) });
}

const order = sentence('A period ends before it begins.', 'Ein Zeitraum endet, bevor er beginnt.');
const empty = sentence('A period has neither a start nor an end.', 'Ein Zeitraum hat weder Anfang noch Ende.');

/** Periods, and when VAT becomes due (EN 16931-1, 6.4.2 and 6.4.3). */
export const dateRules: readonly Rule[] = [
  {
    id: 'BR-29',
    set: 'en16931',
    severity: 'fatal',
    terms: termsOf('BT-73 BT-74'),
    message: order,
    check: (facts, report) => inOrder(facts, documentPeriods(facts), report),
  },
  {
    id: 'BR-30',
    set: 'en16931',
    severity: 'fatal',
    terms: termsOf('BT-134 BT-135'),
    message: order,
    check: (facts, report) => inOrder(facts, linePeriods(facts), report),
  },
  {
    id: 'BR-CO-19',
    set: 'en16931',
    severity: 'fatal',
    terms: termsOf('BG-14 BT-73 BT-74'),
    message: empty,
    check: (facts, report) => notEmpty(facts, documentPeriods(facts), report),
  },
  {
    id: 'BR-CO-20',
    set: 'en16931',
    severity: 'fatal',
    terms: termsOf('BG-26 BT-134 BT-135'),
    message: empty,
    check: (facts, report) => notEmpty(facts, linePeriods(facts), report),
  },
  {
    id: 'BR-CO-03',
    set: 'en16931',
    severity: 'fatal',
    terms: termsOf('BT-7 BT-8'),
    message: sentence(
      'The date on which VAT becomes due is given both as a date and as a code; only one of them may be.',
      'Der Zeitpunkt der Steuerfälligkeit ist als Datum und als Code angegeben; nur eines davon ist erlaubt.',
    ),
    check: ({ invoice }, report) => {
      const { taxPointDate, taxPointDateCode } = invoice;
      if (taxPointDate !== undefined && taxPointDateCode !== undefined)
        report({ at: [invoice, 'taxPointDateCode'], value: taxPointDateCode });
    },
  },
];
