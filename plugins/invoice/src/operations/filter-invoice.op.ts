import { defineOperation, type JoiRoot, shown } from '@quire/registry';
import { filteredProfiles } from '../functions/choices.js';
import { openWith, passwordField, passwords } from './invoice-password.js';

interface FilterInvoiceParams {
  verdict: 'any' | 'valid' | 'invalid';
  profile?: string;
  seller?: string;
  number?: string;
  minAmount?: string;
  maxAmount?: string;
  currency?: string;
  from?: string;
  to?: string;
  password: string;
}

/** Keeps electronic invoices for which all conditions hold, and drops every other file. */
export const filterInvoice = defineOperation<FilterInvoiceParams>({
  path: 'filter/filter-invoice',
  since: '0.1.0',
  summary: 'Keep electronic invoices by what is in them',
  title: 'Filter by invoice',
  icon: 'receipt-text',
  order: 70,
  keywords: ['zugferd', 'factur-x', 'xrechnung', 'e-invoice', 'condition', 'amount', 'supplier', 'seller'],
  groups: [
    { id: 'content', title: 'What is in the invoice' },
    { id: 'range', title: 'Ranges' },
  ],
  notes: [
    'Keeps a PDF that carries an electronic invoice, and an XML file that is one, if all conditions hold; conditions ' +
      'that are left out always do. Every other file leaves the pipeline (204 for a direct call).',
    '`verdict` applies the rules of `invoice/validate`, without veraPDF. An invoice whose XML cannot be read is ' +
      '`invalid`, and no condition about its content holds. Amounts are compared exactly, with the total with VAT ' +
      '(BT-112) in the currency of the invoice: name the `currency` where there may be several.',
  ].join('\n\n'),
  accepts: ['pdf', 'xml'],
  files: 'each',
  returns: { kind: 'same', name: '{base}', mayDrop: true, pages: 'any' },
  passwords,
  params: (joi) =>
    joi
      .object<FilterInvoiceParams, true>({
        verdict: shown(
          joi
            .string()
            .empty('')
            .valid('any', 'valid', 'invalid')
            .default('any')
            .description('Whether the invoice must pass the checks')
            .example('valid'),
          { label: 'Verdict', help: '', options: { any: 'Any invoice', valid: 'Valid', invalid: 'Not valid' } },
        ),
        profile: shown(
          joi
            .string()
            .empty('')
            .valid(...Object.keys(filteredProfiles))
            .description('Profile that the invoice must name')
            .example('xrechnung'),
          { label: 'Profile', help: '', options: filteredProfiles },
        ),
        seller: shown(
          text(joi, "Part of the seller's name, or the whole VAT identifier; case does not matter").example(
            'Lieferant',
          ),
          { label: 'Seller', help: 'Part of the name, or the VAT identifier.', group: 'content' },
        ),
        number: shown(text(joi, 'The whole invoice number; case does not matter').example('R-2026-0042'), {
          label: 'Invoice number',
          help: '',
          group: 'content',
        }),
        currency: shown(
          joi
            .string()
            .empty('')
            .uppercase()
            .pattern(/^[A-Z]{3}$/)
            .description('Currency of the invoice, three letters (ISO 4217)')
            .example('EUR'),
          { label: 'Currency', help: '', group: 'content' },
        ),
        minAmount: shown(amount(joi, 'Least total with VAT, a decimal number').example('100.00'), {
          label: 'Total from',
          help: '',
          group: 'range',
        }),
        maxAmount: shown(amount(joi, 'Largest total with VAT, a decimal number').example('5000'), {
          label: 'Total up to',
          help: '',
          group: 'range',
        }),
        from: shown(day(joi, 'First issue date, YYYY-MM-DD').example('2026-01-01'), {
          label: 'Issued from',
          help: '',
          group: 'range',
        }),
        to: shown(day(joi, 'Last issue date, YYYY-MM-DD').example('2026-12-31'), {
          label: 'Issued until',
          help: '',
          group: 'range',
        }),
        password: passwordField(joi),
      })
      .custom((value: FilterInvoiceParams, helpers) => {
        const field = backwards(value);
        return field === undefined
          ? value
          : helpers.error(
              'range.backwards',
              { field },
              helpers.state.localize?.([...(helpers.state.path ?? []), field]),
            );
      })
      .messages({ 'range.backwards': '"{#field}" is below the begin of its range, so that nothing fits' }),
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'a valid invoice of a seller',
      files: ['hybrid.pdf'],
      params: { verdict: 'valid', seller: 'lieferant' },
      expect: { pages: [1], names: ['hybrid.pdf'] },
    },
    {
      title: 'an amount out of range',
      files: ['invoice-ubl.xml'],
      params: { minAmount: '5000', currency: 'EUR' },
      expect: { dropped: true },
    },
    { title: 'a PDF without an invoice', files: ['page.pdf'], params: {}, expect: { dropped: true } },
    {
      title: 'a range that runs backwards',
      files: ['hybrid.pdf'],
      params: { from: '2026-12-31', to: '2026-01-01' },
      expect: { refused: 'INPUT_INVALID' },
    },
    {
      title: 'an encrypted invoice of another seller',
      files: ['locked.pdf'],
      params: { seller: 'Somebody else', password: 'user' },
      expect: { dropped: true },
    },
  ],
  run: async (file, { password, ...conditions }, ctx) => {
    const { matchesInvoice } = await import('../functions/match-invoice.js');
    const { path } = await openWith(password, file, ctx);
    return (await matchesInvoice(path, file.kind, conditions)) ? [ctx.keep(file)] : [];
  },
});

const text = (joi: JoiRoot, description: string) => joi.string().empty('').trim().max(200).description(description);

const amount = (joi: JoiRoot, description: string) =>
  joi
    .string()
    .empty('')
    .trim()
    .pattern(/^-?\d{1,40}(?:\.\d{1,40})?$/)
    .messages({ 'string.pattern.base': '"{#label}" must be a number with a decimal point, such as 1234.50' })
    .description(description);

const day = (joi: JoiRoot, description: string) =>
  joi
    .string()
    .empty('')
    .trim()
    .custom((value: string, helpers) => (isDay(value) ? value : helpers.error('date.day')))
    .messages({ 'date.day': '"{#label}" must be a date, such as 2026-11-28' })
    .description(description);

function isDay(value: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN;
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(value);
}

/** The upper bound that is below its lower one. */
function backwards({ minAmount, maxAmount, from, to }: FilterInvoiceParams): 'maxAmount' | 'to' | undefined {
  if (from !== undefined && to !== undefined && to < from) return 'to';
  if (minAmount === undefined || maxAmount === undefined) return undefined;
  return isBelow(maxAmount, minAmount) ? 'maxAmount' : undefined;
}

/** Compares decimal texts exactly, without a library: the schema is loaded with every server. */
function isBelow(one: string, other: string): boolean {
  const [a, b] = [one, other].map((value) => {
    const [whole = '', fraction = ''] = value.replace('-', '').split('.');
    const digits = BigInt(whole + fraction.padEnd(40, '0'));
    return value.startsWith('-') ? -digits : digits;
  });
  return a !== undefined && b !== undefined && a < b;
}
