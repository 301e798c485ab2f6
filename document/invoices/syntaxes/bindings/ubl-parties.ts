import type { invoiceTerms, Terms } from '../../model/index.js';
import type { GroupPlace } from './binding.js';

type Model = typeof invoiceTerms;
type Places<K extends keyof Model> = Model[K] extends { terms: infer G extends Terms } ? GroupPlace<G> : never;

const ADDRESS = {
  path: 'cac:PostalAddress',
  terms: {
    line1: 'cbc:StreetName',
    line2: 'cbc:AdditionalStreetName',
    line3: 'cac:AddressLine/cbc:Line',
    city: 'cbc:CityName',
    postCode: 'cbc:PostalZone',
    subdivision: 'cbc:CountrySubentity',
    country: 'cac:Country/cbc:IdentificationCode',
  },
};

const CONTACT = {
  path: 'cac:Contact',
  terms: { name: 'cbc:Name', telephone: 'cbc:Telephone', email: 'cbc:ElectronicMail' },
};

/** BT-90 stands among the identifiers of a party, marked by the scheme SEPA. */
const IDENTIFIER = 'cac:PartyIdentification[cbc:ID/@schemeID!=SEPA]+/cbc:ID';
const VAT_ID = 'cac:PartyTaxScheme[cac:TaxScheme/cbc:ID=VAT]/cbc:CompanyID';

/** Terms that seller and buyer have alike. */
const TRADER = {
  name: 'cac:PartyLegalEntity/cbc:RegistrationName',
  tradingName: 'cac:PartyName/cbc:Name',
  legalRegistration: 'cac:PartyLegalEntity/cbc:CompanyID',
  vatIdentifier: VAT_ID,
  electronicAddress: 'cbc:EndpointID',
  address: ADDRESS,
  contact: CONTACT,
};

/** BG-4 to BG-15 (EN 16931-3-2, table of the binding). */
export const ublParties: {
  readonly [K in 'seller' | 'buyer' | 'payee' | 'taxRepresentative' | 'delivery']: Places<K>;
} = {
  seller: {
    path: 'cac:AccountingSupplierParty/cac:Party',
    terms: {
      ...TRADER,
      identifiers: IDENTIFIER,
      taxRegistration: 'cac:PartyTaxScheme[cac:TaxScheme/cbc:ID!=VAT]{cac:TaxScheme/cbc:ID=FC|TAX}/cbc:CompanyID',
      legalInformation: 'cac:PartyLegalEntity/cbc:CompanyLegalForm',
    },
  },
  buyer: { path: 'cac:AccountingCustomerParty/cac:Party', terms: { ...TRADER, identifier: IDENTIFIER } },
  payee: {
    path: 'cac:PayeeParty',
    terms: {
      name: 'cac:PartyName/cbc:Name',
      identifier: IDENTIFIER,
      legalRegistration: 'cac:PartyLegalEntity/cbc:CompanyID',
    },
  },
  taxRepresentative: {
    path: 'cac:TaxRepresentativeParty',
    terms: { name: 'cac:PartyName/cbc:Name', vatIdentifier: VAT_ID, address: ADDRESS },
  },
  delivery: {
    path: '.',
    exists: 'cac:Delivery',
    terms: {
      name: 'cac:Delivery/cac:DeliveryParty/cac:PartyName/cbc:Name',
      location: 'cac:Delivery/cac:DeliveryLocation/cbc:ID',
      date: 'cac:Delivery/cbc:ActualDeliveryDate',
      // A period with nothing but the code of the tax point (BT-8) is none.
      invoicingPeriod: {
        path: 'cac:InvoicePeriod[cbc:StartDate|cbc:EndDate|!cbc:DescriptionCode]',
        terms: { start: 'cbc:StartDate', end: 'cbc:EndDate' },
      },
      address: { ...ADDRESS, path: 'cac:Delivery/cac:DeliveryLocation/cac:Address' },
    },
  },
};
