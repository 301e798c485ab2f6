import { group, term } from './term.js';

/** The terms of an invoice line (BG-25), and of a sub line of the extension of XRechnung (BG-DEX-01). */
export const lineTerms = {
  id: term('BT-126', 'Invoice line identifier', 'identifier', '1'),
  note: term('BT-127', 'Invoice line note', 'text', '0..1'),
  object: term('BT-128', 'Invoice line object identifier', 'schemed', '0..1'),
  quantity: term('BT-129', 'Invoiced quantity', 'quantity', '1'),
  unit: term('BT-130', 'Invoiced quantity unit of measure code', 'code', '1'),
  netAmount: term('BT-131', 'Invoice line net amount', 'amount', '1'),
  orderLineReference: term('BT-132', 'Referenced purchase order line reference', 'identifier', '0..1'),
  buyerAccountingReference: term('BT-133', 'Invoice line Buyer accounting reference', 'text', '0..1'),
  period: group('BG-26', 'Invoice line period', '0..1', {
    start: term('BT-134', 'Invoice line period start date', 'date', '0..1'),
    end: term('BT-135', 'Invoice line period end date', 'date', '0..1'),
  }),
  allowances: group('BG-27', 'Invoice line allowances', '0..n', {
    amount: term('BT-136', 'Invoice line allowance amount', 'amount', '1'),
    baseAmount: term('BT-137', 'Invoice line allowance base amount', 'amount', '0..1'),
    percentage: term('BT-138', 'Invoice line allowance percentage', 'percentage', '0..1'),
    reason: term('BT-139', 'Invoice line allowance reason', 'text', '0..1'),
    reasonCode: term('BT-140', 'Invoice line allowance reason code', 'code', '0..1'),
  }),
  charges: group('BG-28', 'Invoice line charges', '0..n', {
    amount: term('BT-141', 'Invoice line charge amount', 'amount', '1'),
    baseAmount: term('BT-142', 'Invoice line charge base amount', 'amount', '0..1'),
    percentage: term('BT-143', 'Invoice line charge percentage', 'percentage', '0..1'),
    reason: term('BT-144', 'Invoice line charge reason', 'text', '0..1'),
    reasonCode: term('BT-145', 'Invoice line charge reason code', 'code', '0..1'),
  }),
  price: group('BG-29', 'Price details', '1', {
    net: term('BT-146', 'Item net price', 'price', '1'),
    discount: term('BT-147', 'Item price discount', 'price', '0..1'),
    gross: term('BT-148', 'Item gross price', 'price', '0..1'),
    baseQuantity: term('BT-149', 'Item price base quantity', 'quantity', '0..1'),
    baseQuantityUnit: term('BT-150', 'Item price base quantity unit of measure code', 'code', '0..1'),
  }),
  vat: group('BG-30', 'Line VAT information', '1', {
    category: term('BT-151', 'Invoiced item VAT category code', 'code', '1'),
    rate: term('BT-152', 'Invoiced item VAT rate', 'percentage', '0..1'),
  }),
  item: group('BG-31', 'Item information', '1', {
    name: term('BT-153', 'Item name', 'text', '1'),
    description: term('BT-154', 'Item description', 'text', '0..1'),
    sellerIdentifier: term('BT-155', "Item Seller's identifier", 'identifier', '0..1'),
    buyerIdentifier: term('BT-156', "Item Buyer's identifier", 'identifier', '0..1'),
    standardIdentifier: term('BT-157', 'Item standard identifier', 'schemed', '0..1'),
    classifications: term('BT-158', 'Item classification identifier', 'schemed', '0..n'),
    originCountry: term('BT-159', 'Item country of origin', 'code', '0..1'),
    attributes: group('BG-32', 'Item attributes', '0..n', {
      name: term('BT-160', 'Item attribute name', 'text', '1'),
      value: term('BT-161', 'Item attribute value', 'text', '1'),
    }),
  }),
};
