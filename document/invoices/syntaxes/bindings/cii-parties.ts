import type { Terms } from '../../model/index.js';
import type { invoiceTerms } from '../../model/index.js';
import type { Bindings, GroupPlace, TermPlace } from './binding.js';

type Model = typeof invoiceTerms;
type Places<K extends keyof Model> = Model[K] extends { terms: infer G extends Terms } ? GroupPlace<G> : never;

const ADDRESS = {
  path: 'ram:PostalTradeAddress',
  terms: {
    line1: 'ram:LineOne',
    line2: 'ram:LineTwo',
    line3: 'ram:LineThree',
    city: 'ram:CityName',
    postCode: 'ram:PostcodeCode',
    subdivision: 'ram:CountrySubDivisionName',
    country: 'ram:CountryID',
  },
};

const CONTACT = {
  path: 'ram:DefinedTradeContact',
  terms: {
    name: 'ram:PersonName | ram:DepartmentName',
    telephone: 'ram:TelephoneUniversalCommunication/ram:CompleteNumber',
    email: 'ram:EmailURIUniversalCommunication/ram:URIID',
  },
};

/** An identifier with a scheme is a GlobalID. */
const PARTY_ID: TermPlace = {
  path: 'ram:ID | ram:GlobalID',
  choose: (_value, scheme) => (scheme === undefined ? 0 : 1),
};

const VAT_ID = 'ram:SpecifiedTaxRegistration[ram:ID/@schemeID=VA]/ram:ID';
const ELECTRONIC_ADDRESS = 'ram:URIUniversalCommunication/ram:URIID';

const seller: Bindings<Model['seller']['terms']> = {
  name: 'ram:Name',
  tradingName: 'ram:SpecifiedLegalOrganization/ram:TradingBusinessName',
  identifiers: PARTY_ID,
  legalRegistration: 'ram:SpecifiedLegalOrganization/ram:ID',
  vatIdentifier: VAT_ID,
  taxRegistration: 'ram:SpecifiedTaxRegistration[ram:ID/@schemeID=FC]/ram:ID',
  legalInformation: 'ram:Description',
  electronicAddress: ELECTRONIC_ADDRESS,
  address: ADDRESS,
  contact: CONTACT,
};

const buyer: Bindings<Model['buyer']['terms']> = {
  name: 'ram:Name',
  tradingName: 'ram:SpecifiedLegalOrganization/ram:TradingBusinessName',
  identifier: PARTY_ID,
  legalRegistration: 'ram:SpecifiedLegalOrganization/ram:ID',
  vatIdentifier: VAT_ID,
  electronicAddress: ELECTRONIC_ADDRESS,
  address: ADDRESS,
  contact: CONTACT,
};

const TRANSACTION = 'rsm:SupplyChainTradeTransaction';
const AGREEMENT = `${TRANSACTION}/ram:ApplicableHeaderTradeAgreement`;
const DELIVERY = `${TRANSACTION}/ram:ApplicableHeaderTradeDelivery`;
const SETTLEMENT = `${TRANSACTION}/ram:ApplicableHeaderTradeSettlement`;

/** BG-4 to BG-15 (EN 16931-3-3, table of the binding). */
export const ciiParties: {
  readonly [K in 'seller' | 'buyer' | 'payee' | 'taxRepresentative' | 'delivery']: Places<K>;
} = {
  seller: { path: `${AGREEMENT}/ram:SellerTradeParty`, terms: seller },
  buyer: { path: `${AGREEMENT}/ram:BuyerTradeParty`, terms: buyer },
  payee: {
    path: `${SETTLEMENT}/ram:PayeeTradeParty`,
    terms: {
      name: 'ram:Name',
      identifier: PARTY_ID,
      legalRegistration: 'ram:SpecifiedLegalOrganization/ram:ID',
    },
  },
  taxRepresentative: {
    path: `${AGREEMENT}/ram:SellerTaxRepresentativeTradeParty`,
    terms: { name: 'ram:Name', vatIdentifier: VAT_ID, address: ADDRESS },
  },
  delivery: {
    path: '.',
    terms: {
      name: `${DELIVERY}/ram:ShipToTradeParty/ram:Name`,
      location: {
        ...PARTY_ID,
        path: `${DELIVERY}/ram:ShipToTradeParty/ram:ID | ${DELIVERY}/ram:ShipToTradeParty/ram:GlobalID`,
      },
      date: `${DELIVERY}/ram:ActualDeliverySupplyChainEvent/ram:OccurrenceDateTime/udt:DateTimeString`,
      invoicingPeriod: {
        path: `${SETTLEMENT}/ram:BillingSpecifiedPeriod`,
        terms: { start: 'ram:StartDateTime/udt:DateTimeString', end: 'ram:EndDateTime/udt:DateTimeString' },
      },
      address: { ...ADDRESS, path: `${DELIVERY}/ram:ShipToTradeParty/${ADDRESS.path}` },
    },
  },
};
