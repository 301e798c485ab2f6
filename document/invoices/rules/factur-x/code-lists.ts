import {
  allowanceReasons,
  attachmentTypes,
  chargeReasons,
  countries,
  currencies,
  documentTypes,
  electronicAddressSchemes,
  exemptionReasons,
  identifierSchemes,
  itemClassificationSchemes,
  paymentMeans,
  referenceTypes,
  subjects,
  taxPointCodes,
  units,
  vatCategories,
} from '../code-lists/index.js';

type Codes = ReadonlySet<string>;

const codes = (list: string): Codes => new Set(list.split(/\s+/));
function without({ values }: { readonly values: Codes }, list: string): Codes {
  const left = codes(list);
  return new Set([...values].filter((code) => !left.has(code)));
}
const and = (values: Codes, list: string): Codes => new Set([...values, ...codes(list)]);
const guidelines = (level: string, base = ''): Codes =>
  new Set([`${base}urn:factur-x.eu:1p0:${level}`, `${base}urn:zugferd.de:2p0:${level}`]);

const CEN = 'urn:cen.eu:en16931:2017';

/** Digits from one number to another, as codes. */
const range = (from: number, to: number): Codes =>
  new Set(Array.from({ length: to - from + 1 }, (_, index) => String(from + index)));

/**
 * The code lists of the schematrons of Factur-X 1.0.8, by the names in `coded-places.ts`. Most are those of the
 * artefacts of EN 16931; some are of another year.
 */
export const facturXLists: Readonly<Record<string, Codes>> = {
  minimum: guidelines('minimum'),
  basicWl: guidelines('basicwl'),
  basic: guidelines('basic', `${CEN}#compliant#`),
  en16931: codes(CEN),
  extended: guidelines('extended', `${CEN}#conformant#`),
  dateFormat: codes('102'),
  dateFormats: codes('102 205'),
  documentTypes: documentTypes.cii.values,
  precedingTypes: without(documentTypes.cii, '471 472 473 500 501 502 503'),
  identifierSchemes: without(identifierSchemes, '0245 0246 0247 0248'),
  addressSchemes: without(electronicAddressSchemes, '0219 0220 0242 0245 0246 0248'),
  classificationSchemes: itemClassificationSchemes.values,
  countries: and(without(countries.cii, 'AN'), 'SS'),
  currencies: and(without(currencies, 'STD XCG'), 'ANG BGN STN'),
  subjects: subjects.cii.values,
  vatScheme: codes('VA'),
  vat: codes('VAT'),
  taxTypes: codes(
    'AAA AAB AAC AAD AAE AAF AAG AAH AAI AAJ AAK AAL AAM AAO AAP ADD BOL CAP CAR COC CST CUD CVD ENV EXC EXP FET FRE ' +
      'GCN GST ILL IMP IND LAC LCN LDP LOC LST MCA MCD OTH PDB PDC PRF SCN SSS STT SUP SUR SWT TAC TOT TOX TTA VAD VAT',
  ),
  vatCategories: without(vatCategories, 'B'),
  vatCategoriesExtended: vatCategories.values,
  taxPointCodes: taxPointCodes.cii.values,
  exemptionReasons: exemptionReasons.values,
  allowanceReasons: allowanceReasons.values,
  chargeReasons: chargeReasons.values,
  paymentMeans: paymentMeans.values,
  units: units.values,
  referenceTypes: referenceTypes.values,
  additionalReferences: codes('50 130 916'),
  tenderReference: codes('50'),
  objectReference: codes('130'),
  supportingDocument: codes('916'),
  attachmentTypes: attachmentTypes.values,
  attachmentTypesExtended: and(attachmentTypes.values, 'application/json application/xml text/xml'),
  deliveryTerms: codes('1 2 CFR CIF CIP CPT DAP DDP DPU EXW FAS FCA FOB'),
  transportModes: range(0, 9),
  accountTypes: range(1, 7),
  lineStatus: range(1, 119),
  lineSubtypes: codes('DETAIL GROUP INFORMATION'),
};
