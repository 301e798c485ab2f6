import type { Invoice, InvoiceLine } from '@quire/document/invoices/model';

/** An invoice as a small company writes it, whose sums are right. `count` lines of 100.00 each. */
export function sampleInvoice(count = 3): Invoice {
  const net = `${count * 100}.00`;
  const vat = `${count * 19}.00`;
  const gross = `${count * 119}.00`;
  return {
    number: 'RE-2025-0042',
    issueDate: '2025-03-14',
    typeCode: '380',
    currency: 'EUR',
    dueDate: '2025-04-13',
    buyerReference: '04011000-12345-03',
    contract: 'V-2024-117',
    purchaseOrder: '4500012345',
    paymentTerms: 'Zahlbar innerhalb von 30 Tagen ohne Abzug.',
    notes: [{ subjectCode: 'REG', text: 'Amtsgericht Köln, HRB 12345\nGeschäftsführerin: Erika Beispiel' }],
    process: {
      businessProcess: 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0',
      specification: 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0',
    },
    seller: {
      name: 'Beispiel & Söhne GmbH',
      vatIdentifier: 'DE123456789',
      taxRegistration: '215/1234/5678',
      electronicAddress: { value: 'rechnung@beispiel.example', scheme: 'EM' },
      address: { line1: 'Lindenallee 12', city: 'Köln', postCode: '50667', country: 'DE' },
      contact: { name: 'Max Muster', telephone: '+49 221 123456', email: 'max@beispiel.example' },
    },
    buyer: {
      name: 'Stadtverwaltung Musterstadt',
      identifier: { value: 'K-10077' },
      electronicAddress: { value: '04011000-12345-03', scheme: '0204' },
      address: { line1: 'Rathausplatz 1', city: 'Musterstadt', postCode: '12345', country: 'DE' },
    },
    delivery: { date: '2025-03-10' },
    payment: {
      meansCode: '58',
      remittance: 'RE-2025-0042',
      transfers: [
        { account: 'DE02120300000000202051', accountName: 'Beispiel & Söhne GmbH', serviceProvider: 'BYLADEM1001' },
      ],
    },
    totals: { lines: net, withoutVat: net, vat, withVat: gross, due: gross },
    vatBreakdown: [{ taxableAmount: net, taxAmount: vat, category: 'S', rate: '19' }],
    lines: Array.from({ length: count }, (_, i) => sampleLine(i + 1)),
  };
}

function sampleLine(number: number): InvoiceLine {
  return {
    id: String(number),
    quantity: '2',
    unit: 'HUR',
    netAmount: '100.00',
    price: { net: '50.00' },
    vat: { category: 'S', rate: '19' },
    item: {
      name: `Beratung, Teil ${number}`,
      description: 'Analyse der Abläufe und Vorschläge für die Umstellung auf E-Rechnungen',
      sellerIdentifier: `B-${100 + number}`,
    },
  };
}
