import { deliveryParties, documentParties, lineParties } from './extended-parties.js';
import { documentReference, extendedAddress, extendedContact, paymentCondition } from './extended-shapes.js';
import { group, type Group, type Term, term } from './term.js';

/** Terms and groups to add to a group; a member without `node` is added to the group of that name in turn. */
export interface Additions {
  readonly [key: string]: Term | Group | Additions;
}

const issued = (id: string, title: string): Term => term(id, `${title} date`, 'date', '0..1');

const lines: Additions = {
  noteSubjectCode: term('BT-X-10', 'Invoice line note subject code', 'code', '0..1'),
  noteContentCode: term('BT-X-9', 'Invoice line note content code', 'code', '0..1'),
  parent: term('BT-X-304', 'Parent line identifier', 'identifier', '0..1'),
  status: term('BT-X-7', 'Invoice line status code', 'code', '0..1'),
  subtype: term('BT-X-8', 'Invoice line subtype', 'code', '0..1'),
  orderReference: term('BT-X-21', 'Line purchase order identifier', 'identifier', '0..1'),
  orderDate: term('BT-X-22', 'Line purchase order date', 'date', '0..1'),
  quotation: documentReference('Line quotation', ['BG-X-47', 'BT-X-310', 'BT-X-312', 'BT-X-311']),
  contract: documentReference('Line contract', ['BG-X-2', 'BT-X-24', 'BT-X-26', 'BT-X-25']),
  despatchAdvice: documentReference('Line despatch advice', ['BG-X-13', 'BT-X-86', 'BT-X-88', 'BT-X-87']),
  receivingAdvice: documentReference('Line receiving advice', ['BG-X-82', 'BT-X-89', 'BT-X-91', 'BT-X-90']),
  deliveryNote: documentReference('Line delivery note', ['BG-X-83', 'BT-X-92', 'BT-X-94', 'BT-X-93']),
  precedingInvoice: documentReference('Line preceding invoice', ['BG-X-48', 'BT-X-331', 'BT-X-333', 'BT-X-540']),
  ultimateCustomerOrders: documentReference(
    'Line ultimate customer order',
    ['BG-X-5', 'BT-X-43', 'BT-X-45', 'BT-X-44'],
    '0..n',
  ),
  chargeFreeQuantity: term('BT-X-46', 'Charge free quantity', 'quantity', '0..1'),
  chargeFreeUnit: term('BT-X-46-0', 'Charge free quantity unit', 'code', '0..1'),
  packages: term('BT-X-47', 'Package quantity', 'quantity', '0..1'),
  packageUnit: term('BT-X-47-0', 'Package quantity unit', 'code', '0..1'),
  deliveryDate: term('BT-X-85', 'Line delivery date', 'date', '0..1'),
  chargeTotal: term('BT-X-327', 'Line charge total', 'amount', '0..1'),
  allowanceTotal: term('BT-X-328', 'Line allowance total', 'amount', '0..1'),
  allowanceChargeTotal: term('BT-X-98', 'Line total of allowances and charges', 'amount', '0..1'),
  grossAmount: term('BT-X-330', 'Invoice line gross amount', 'amount', '0..1'),
  price: {
    discountPercentage: term('BT-X-34', 'Item price discount percentage', 'percentage', '0..1'),
    discountBaseAmount: term('BT-X-35', 'Item price discount base amount', 'amount', '0..1'),
    discountReason: term('BT-X-36', 'Item price discount reason', 'text', '0..1'),
    discountReasonCode: term('BT-X-313', 'Item price discount reason code', 'code', '0..1'),
    furtherDiscounts: group('BT-147-00', 'Further item price discount', '0..n', {
      amount: term('BT-147', 'Further item price discount amount', 'price', '0..1'),
      percentage: term('BT-X-34', 'Further item price discount percentage', 'percentage', '0..1'),
      baseAmount: term('BT-X-35', 'Further item price discount base amount', 'amount', '0..1'),
      reason: term('BT-X-36', 'Further item price discount reason', 'text', '0..1'),
    }),
    charges: group('BT-X-302-00', 'Item price charge', '0..n', {
      amount: term('BT-X-302', 'Item price charge amount', 'price', '0..1'),
      percentage: term('BT-X-300', 'Item price charge percentage', 'percentage', '0..1'),
      baseAmount: term('BT-X-301', 'Item price charge base amount', 'amount', '0..1'),
      reason: term('BT-X-303', 'Item price charge reason', 'text', '0..1'),
    }),
  },
  vat: {
    amount: term('BT-X-95', 'Line VAT amount', 'amount', '0..1'),
    exemptionReason: term('BT-X-96', 'Line VAT exemption reason', 'text', '0..1'),
    exemptionReasonCode: term('BT-X-97', 'Line VAT exemption reason code', 'code', '0..1'),
  },
  item: {
    identifier: term('BT-X-305', 'Item identifier', 'identifier', '0..1'),
    industryIdentifier: term('BT-X-532', 'Item industry identifier', 'identifier', '0..1'),
    modelIdentifier: term('BT-X-533', 'Item model identifier', 'identifier', '0..1'),
    batches: term('BT-X-534', 'Item batch identifier', 'identifier', '0..n'),
    brand: term('BT-X-535', 'Item brand', 'text', '0..1'),
    model: term('BT-X-536', 'Item model', 'text', '0..1'),
    attributes: { type: term('BT-X-11', 'Item attribute type', 'code', '0..1') },
    instances: group('BG-X-84', 'Item instance', '0..n', {
      batch: term('BT-X-306', 'Item instance batch', 'identifier', '0..1'),
      serialNumber: term('BT-X-307', 'Item instance serial number', 'identifier', '0..1'),
    }),
    includedItems: group('BG-X-1', 'Included item', '0..n', {
      identifier: term('BT-X-308', 'Included item identifier', 'identifier', '0..1'),
      standardIdentifiers: term('BT-X-15', 'Included item standard identifier', 'schemed', '0..n'),
      sellerIdentifier: term('BT-X-16', "Included item Seller's identifier", 'identifier', '0..1'),
      buyerIdentifier: term('BT-X-17', "Included item Buyer's identifier", 'identifier', '0..1'),
      name: term('BT-X-18', 'Included item name', 'text', '0..1'),
      description: term('BT-X-19', 'Included item description', 'text', '0..1'),
      quantity: term('BT-X-20', 'Included item quantity', 'quantity', '0..1'),
      unit: term('BT-X-20-1', 'Included item quantity unit', 'code', '0..1'),
    }),
  },
  ...lineParties,
};

const delivery: Additions = {
  note: documentReference('Delivery note', ['BT-X-202-00', 'BT-X-202', 'BT-X-203']),
  electronicAddress: term('BT-X-160', 'Deliver to electronic address', 'schemed', '0..1'),
  tradingName: term('BT-X-154', 'Deliver to trading name', 'text', '0..1'),
  legalRegistration: term('BT-X-153', 'Deliver to legal registration identifier', 'schemed', '0..1'),
  vatIdentifier: term('BT-X-161', 'Deliver to VAT identifier', 'identifier', '0..1'),
  contact: group(
    'BG-X-26',
    'Deliver to contact',
    '0..1',
    extendedContact('Deliver to', ['BT-X-155', 'BT-X-156', 'BT-X-157', 'BT-X-158', 'BT-X-159']),
  ),
  ...deliveryParties,
};

/**
 * What Factur-X EXTENDED adds to EN 16931 (fields BT-X and BG-X of its list). Where it repeats an element that EN 16931
 * has once, the further ones are groups of their own (`BT-20-00`), whose terms have the ids of those of the first.
 */
export const extendedTerms: Additions = {
  name: term('BT-X-2', 'Document name', 'text', '0..1'),
  language: term('BT-X-4', 'Invoice language', 'code', '0..1'),
  contractualDueDate: term('BT-X-6', 'Contractual due date', 'date', '0..1'),
  isCopy: term('BT-X-3', 'Copy indicator', 'code', '0..1'),
  sellerReference: term('BT-X-204', 'Seller reference', 'text', '0..1'),
  contractDate: issued('BT-X-148', 'Contract reference'),
  purchaseOrderDate: issued('BT-X-147', 'Purchase order reference'),
  salesOrderDate: issued('BT-X-146', 'Sales order reference'),
  despatchAdviceDate: issued('BT-X-200', 'Despatch advice reference'),
  receivingAdviceDate: issued('BT-X-201', 'Receiving advice reference'),
  furtherObjects: group('BT-18-00', 'Further invoiced object', '0..n', {
    identifier: term('BT-18', 'Further invoiced object identifier', 'schemed', '1'),
  }),
  furtherTenders: group('BT-17-00', 'Further tender or lot', '0..n', {
    reference: term('BT-17', 'Further tender or lot reference', 'identifier', '1'),
  }),
  quotation: documentReference('Quotation', ['BG-X-61', 'BT-X-403', 'BT-X-404']),
  ultimateCustomerOrders: documentReference('Ultimate customer order', ['BG-X-23', 'BT-X-150', 'BT-X-151'], '0..n'),
  notes: { contentCode: term('BT-X-5', 'Invoice note content code', 'code', '0..1') },
  process: { isTest: term('BT-X-1', 'Test indicator', 'code', '0..1') },
  seller: {
    contact: {
      department: term('BT-41-0', 'Seller contact department', 'text', '0..1'),
      fax: term('BT-X-107', 'Seller contact fax number', 'text', '0..1'),
    },
    role: term('BT-X-543', 'Seller role code', 'code', '0..1'),
  },
  buyer: {
    globalIdentifiers: term('BT-46-0', 'Buyer global identifier', 'schemed', '0..n'),
    legalInformation: term('BT-X-334', 'Buyer additional legal information', 'text', '0..1'),
    contact: {
      department: term('BT-56-0', 'Buyer contact department', 'text', '0..1'),
      fax: term('BT-X-115', 'Buyer contact fax number', 'text', '0..1'),
    },
    role: term('BT-X-544', 'Buyer role code', 'code', '0..1'),
  },
  payee: {
    tradingName: term('BT-X-243', 'Payee trading name', 'text', '0..1'),
    vatIdentifier: term('BT-X-257', 'Payee VAT identifier', 'identifier', '0..1'),
    address: group('BG-X-40', 'Payee postal address', '0..1', extendedAddress('Payee', 249)),
    contact: group(
      'BG-X-39',
      'Payee contact',
      '0..1',
      extendedContact('Payee', ['BT-X-244', 'BT-X-245', 'BT-X-246', 'BT-X-247', 'BT-X-248']),
    ),
  },
  delivery,
  partialPayment: term('BT-X-275', 'Partial payment amount', 'amount', '0..1'),
  discountTerms: paymentCondition('BG-X-44', 'Early payment discount', 282),
  penaltyTerms: paymentCondition('BG-X-43', 'Late payment penalty', 276),
  furtherPaymentTerms: group('BT-20-00', 'Further payment terms', '0..n', {
    text: term('BT-20', 'Further payment terms text', 'text', '0..1'),
    dueDate: term('BT-9', 'Further payment due date', 'date', '0..1'),
    partialPayment: term('BT-X-275', 'Further partial payment amount', 'amount', '0..1'),
    discountPercentage: term('BT-X-286', 'Further discount percentage', 'percentage', '0..1'),
    discountPeriod: term('BT-X-283', 'Further discount period', 'quantity', '0..1'),
    discountPeriodUnit: term('BT-X-284', 'Further discount period unit', 'code', '0..1'),
    discountBaseAmount: term('BT-X-285', 'Further discount base amount', 'amount', '0..1'),
    discountAmount: term('BT-X-287', 'Further discount amount', 'amount', '0..1'),
  }),
  logistics: group('BG-X-42', 'Logistics service fee', '0..n', {
    description: term('BT-X-271', 'Logistics service fee description', 'text', '0..1'),
    amount: term('BT-X-272', 'Logistics service fee amount', 'amount', '1'),
    vatCategory: term('BT-X-273', 'Logistics service fee VAT category', 'code', '0..1'),
    vatRate: term('BT-X-274', 'Logistics service fee VAT rate', 'percentage', '0..1'),
  }),
  vatBreakdown: {
    lineAmount: term('BT-X-262', 'VAT category line total', 'amount', '0..1'),
    allowanceChargeAmount: term('BT-X-263', 'VAT category total of allowances and charges', 'amount', '0..1'),
  },
  currencyExchange: group('BG-X-41', 'Currency exchange', '0..1', {
    source: term('BT-X-258', 'Source currency', 'code', '0..1'),
    target: term('BT-X-259', 'Target currency', 'code', '0..1'),
    rate: term('BT-X-260', 'Exchange rate', 'quantity', '0..1'),
    date: term('BT-X-261', 'Exchange rate date', 'date', '0..1'),
  }),
  advancePayments: group('BG-X-45', 'Advance payment', '0..n', {
    amount: term('BT-X-291', 'Advance payment amount', 'amount', '0..1'),
    date: term('BT-X-292', 'Advance payment date', 'date', '0..1'),
    taxes: group('BG-X-46', 'Advance payment VAT', '0..n', {
      amount: term('BT-X-293', 'Advance payment VAT amount', 'amount', '0..1'),
      category: term('BT-X-296', 'Advance payment VAT category', 'code', '0..1'),
      rate: term('BT-X-298', 'Advance payment VAT rate', 'percentage', '0..1'),
      exemptionReason: term('BT-X-295', 'Advance payment VAT exemption reason', 'text', '0..1'),
      exemptionReasonCode: term('BT-X-297', 'Advance payment VAT exemption reason code', 'code', '0..1'),
    }),
  }),
  ...documentParties,
  lines,
};

/** A group with what is added to it. */
function extended(base: Group, additions: Additions): Group {
  return { ...base, terms: extendedMembers(base.terms, additions) };
}

export function extendedMembers(terms: Group['terms'], additions: Additions): Record<string, Term | Group> {
  const all: Record<string, Term | Group> = { ...terms };
  for (const [key, addition] of Object.entries(additions)) {
    if (isEntry(addition)) all[key] = addition;
    else {
      const inner = all[key];
      if (inner?.node !== 'group') throw new TypeError(`no group ${key} to add to`);
      all[key] = extended(inner, addition);
    }
  }
  return all;
}

const isEntry = (addition: Term | Group | Additions): addition is Term | Group => typeof addition['node'] === 'string';
