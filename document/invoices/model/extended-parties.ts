import { type ContactIds, extendedParty, type PartyIds } from './extended-shapes.js';

const x = (number: number): string => `BT-X-${number}`;
const ids = (...numbers: readonly [number, number, number, number, number]): ContactIds =>
  numbers.map(x) as unknown as ContactIds;

type Numbers = readonly [
  group: number,
  identifier: number,
  name: number,
  role: number,
  registration: number,
  tradingName: number,
  electronic: number,
  vat: number,
];

function party(
  [group, identifier, name, role, registration, tradingName, electronic, vat]: Numbers,
  address: readonly [group: number, first: number],
  contact: readonly [group: number, ids: ContactIds],
): PartyIds {
  return {
    group: `BG-X-${group}`,
    identifiers: x(identifier),
    name: x(name),
    role: x(role),
    registration: x(registration),
    tradingName: x(tradingName),
    electronic: x(electronic),
    vat: x(vat),
    address: [`BG-X-${address[0]}`, address[1]],
    contact: [`BG-X-${contact[0]}`, contact[1]],
  };
}

/** Parties of Factur-X EXTENDED, with the numbers of its list of fields. */
export const documentParties = {
  salesAgent: extendedParty(
    'Sales agent',
    party([49, 337, 335, 545, 339, 336, 341, 340], [52, 348], [51, ids(342, 343, 344, 345, 346)]),
  ),
  buyerTaxRepresentative: extendedParty(
    'Buyer tax representative',
    party([54, 364, 362, 546, 366, 363, 368, 367], [56, 375], [55, ids(369, 370, 372, 373, 374)]),
  ),
  productEndUser: extendedParty(
    'Product end user',
    party([18, 126, 128, 548, 129, 130, 143, 144], [21, 136], [20, ids(131, 132, 133, 134, 135)]),
  ),
  buyerAgent: extendedParty(
    'Buyer agent',
    party([62, 408, 406, 549, 410, 407, 412, 411], [65, 419], [64, ids(413, 414, 416, 417, 418)]),
  ),
  invoicer: extendedParty(
    'Invoicer',
    party([33, 205, 207, 553, 208, 209, 222, 223], [35, 215], [34, ids(210, 211, 212, 213, 214)]),
  ),
  invoicee: extendedParty(
    'Invoicee',
    party([36, 224, 226, 554, 227, 228, 241, 242], [38, 234], [37, ids(229, 230, 231, 232, 233)]),
  ),
  payer: extendedParty(
    'Payer',
    party([73, 478, 476, 483, 480, 477, 482, 481], [75, 490], [74, ids(484, 485, 487, 488, 489)]),
  ),
};

export const deliveryParties = {
  ultimateShipTo: extendedParty(
    'Ultimate ship to party',
    party([27, 162, 164, 551, 165, 166, 179, 180], [29, 172], [28, ids(167, 168, 169, 170, 171)]),
  ),
  shipFrom: extendedParty(
    'Ship from party',
    party([30, 181, 183, 552, 184, 185, 198, 199], [32, 191], [31, ids(186, 187, 188, 189, 190)]),
  ),
};

const lineContact = (...[name, telephone, fax, email]: readonly [number, number, number, number]): ContactIds => [
  x(name),
  `${x(name)}-1`,
  x(telephone),
  x(fax),
  x(email),
];

export const lineParties = {
  shipTo: extendedParty('Line ship to party', {
    ...party([7, 0, 50, 541, 51, 52, 65, 66], [9, 58], [8, lineContact(54, 55, 56, 57)]),
    identifiers: 'BT-186',
  }),
  ultimateShipTo: extendedParty(
    'Line ultimate ship to party',
    party([10, 67, 69, 542, 70, 71, 83, 84], [12, 76], [11, lineContact(72, 73, 74, 75)]),
  ),
};
