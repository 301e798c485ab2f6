import { parseDecimal } from '../amounts/index.js';
import type { InvoiceLine } from '../model/index.js';
import type { XmlElement } from '../syntaxes/index.js';
import type { Facts } from './facts.js';
import { anyReason } from './presence-groups.js';
import { demands, filled, type Rule, sentence } from './rule.js';

const lines = ({ lines: all }: Facts): readonly InvoiceLine[] => all;
const lineAllowances = ({ lines: all }: Facts) => all.flatMap(({ allowances }) => allowances ?? []);
const lineCharges = ({ lines: all }: Facts) => all.flatMap(({ charges }) => charges ?? []);

const allowanceReason = sentence(
  'An allowance gives no reason, neither as text nor as code.',
  'Ein Nachlass nennt keinen Grund, weder als Text noch als Code.',
);
const chargeReason = sentence(
  'A charge gives no reason, neither as text nor as code.',
  'Ein Zuschlag nennt keinen Grund, weder als Text noch als Code.',
);

/** What each line must have (EN 16931-1, 6.4.2: BR-21 to BR-28, BR-41 to BR-44, BR-54, BR-64, BR-65). */
export const presenceInLines: readonly Rule[] = [
  demands(
    'BR-21',
    'BG-25 BT-126',
    lines,
    ({ id }) => id,
    'filled',
    sentence('The line has no identifier.', 'Die Position hat keine Kennung.'),
  ),
  demands(
    'BR-22',
    'BG-25 BT-129',
    lines,
    ({ quantity }) => quantity,
    'exists',
    sentence('The invoiced quantity is missing.', 'Die in Rechnung gestellte Menge fehlt.'),
  ),
  demands(
    'BR-23',
    'BG-25 BT-130',
    lines,
    ({ unit }) => unit,
    'exists',
    sentence('The unit of the quantity is missing.', 'Die Einheit der Menge fehlt.'),
  ),
  demands(
    'BR-24',
    'BG-25 BT-131',
    lines,
    ({ netAmount }) => netAmount,
    'exists',
    sentence('The net amount of the line is missing.', 'Der Nettobetrag der Position fehlt.'),
  ),
  demands(
    'BR-25',
    'BG-25 BT-153',
    lines,
    ({ item }) => item?.name,
    'filled',
    sentence('The name of the item is missing.', 'Der Name des Artikels fehlt.'),
  ),
  demands(
    'BR-26',
    'BG-25 BT-146',
    lines,
    ({ price }) => price?.net,
    'exists',
    sentence('The net price of the item is missing.', 'Der Nettopreis des Artikels fehlt.'),
  ),
  {
    id: 'BR-27',
    set: 'en16931',
    severity: 'fatal',
    terms: ['BT-146'],
    message: sentence(
      'The net price of the item is negative or no number.',
      'Der Nettopreis ist negativ oder keine Zahl.',
    ),
    check: (facts, report) => {
      for (const line of facts.lines) {
        const net = line.price?.net;
        const price = parseDecimal(net);
        if (price !== undefined && price.gte(0)) continue;
        report({
          at: line.price === undefined ? [line] : [line.price, 'net'],
          value: net,
          message: facts.inLine(line, negative('net price', 'Nettopreis', net)),
        });
      }
    },
  },
  {
    id: 'BR-28',
    set: 'en16931',
    severity: 'fatal',
    terms: ['BT-148'],
    message: sentence(
      'The gross price of the item is negative or no number.',
      'Der Bruttopreis ist negativ oder keine Zahl.',
    ),
    check: (facts, report) => {
      for (const gross of grossPrices(facts)) {
        if (parseDecimal(gross.text)?.gte(0) === true) continue;
        report({ at: gross, value: gross.text, message: negative('gross price', 'Bruttopreis', gross.text) });
      }
    },
  },
  demands(
    'BR-41',
    'BG-27 BT-136',
    lineAllowances,
    ({ amount }) => amount,
    'exists',
    sentence('An allowance has no amount.', 'Ein Nachlass hat keinen Betrag.'),
  ),
  demands('BR-42', 'BG-27 BT-139 BT-140', lineAllowances, anyReason, 'exists', allowanceReason),
  demands('BR-CO-23', 'BG-27 BT-139 BT-140', lineAllowances, anyReason, 'exists', allowanceReason),
  demands(
    'BR-43',
    'BG-28 BT-141',
    lineCharges,
    ({ amount }) => amount,
    'exists',
    sentence('A charge has no amount.', 'Ein Zuschlag hat keinen Betrag.'),
  ),
  demands('BR-44', 'BG-28 BT-144 BT-145', lineCharges, anyReason, 'exists', chargeReason),
  demands('BR-CO-24', 'BG-28 BT-144 BT-145', lineCharges, anyReason, 'exists', chargeReason),
  demands(
    'BR-54',
    'BG-32 BT-160 BT-161',
    ({ lines: all }) => all.flatMap(({ item }) => item?.attributes ?? []),
    ({ name, value }) => (name === undefined ? undefined : value),
    'exists',
    sentence(
      'An attribute of the item lacks its name or its value.',
      'Einer Eigenschaft des Artikels fehlt Name oder Wert.',
    ),
  ),
  demands(
    'BR-64',
    'BT-157',
    ({ lines: all }) => all.flatMap(({ item }) => item?.standardIdentifier ?? []),
    ({ scheme }, { family }) => (family === 'cii' && !filled(scheme) ? undefined : scheme),
    'exists',
    sentence(
      'The standard identifier of the item does not name its scheme.',
      'Die Kennung eines Artikels nach Standard nennt ihr Schema nicht.',
    ),
  ),
  demands(
    'BR-65',
    'BT-158',
    ({ lines: all }) => all.flatMap(({ item }) => item?.classifications ?? []),
    ({ scheme }, { family }) => (family === 'cii' && !filled(scheme) ? undefined : scheme),
    'exists',
    sentence(
      'The classification of the item does not name its scheme.',
      'Die Klassifizierung des Artikels nennt ihr Schema nicht.',
    ),
  ),
  demands(
    'BR-CO-04',
    'BG-25 BT-151',
    lines,
    ({ vat }) => vat?.category,
    'exists',
    sentence('The VAT category of the line is missing.', 'Die Umsatzsteuerkategorie der Position fehlt.'),
  ),
];

function negative(en: string, de: string, value: string | undefined) {
  if (value === undefined) return sentence(`The ${en} of the item is missing.`, `Der ${de} des Artikels fehlt.`);
  return parseDecimal(value) === undefined
    ? sentence(`The ${en} of the item (${value}) is not a number.`, `Der ${de} des Artikels (${value}) ist keine Zahl.`)
    : sentence(`The ${en} of the item (${value}) is negative.`, `Der ${de} des Artikels (${value}) ist negativ.`);
}

/** BT-148 as the tests see it: the model takes it from allowances only, UBL could write it in a charge. */
function grossPrices(facts: Facts): readonly XmlElement[] {
  const [price, group, gross] =
    facts.family === 'ubl'
      ? (['cac:Price', 'cac:AllowanceCharge', 'cbc:BaseAmount'] as const)
      : (['ram:SpecifiedLineTradeAgreement', 'ram:GrossPriceProductTradePrice', 'ram:ChargeAmount'] as const);
  return facts.elements(gross).filter(({ parent }) => parent?.qname === group && parent.parent?.qname === price);
}
