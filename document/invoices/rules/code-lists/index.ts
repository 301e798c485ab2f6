export { type CodeList, codeList } from './code-list.js';
export { countries } from './countries.js';
export { currencies } from './currencies.js';
export {
  allowanceReasons,
  attachmentTypes,
  chargeReasons,
  documentTypes,
  exemptionReasons,
  paymentMeans,
  taxPointCodes,
  vatCategories,
} from './invoice-codes.js';
export { referenceTypes } from './references.js';
export {
  electronicAddressSchemes,
  electronicAddressSchemesXRechnung,
  identifierSchemes,
  itemClassificationSchemes,
} from './schemes.js';
export { subjects } from './subjects.js';
export { units } from './units.js';
