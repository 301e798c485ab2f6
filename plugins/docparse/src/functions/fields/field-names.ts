import type { FieldType } from './field-types.js';

export interface WantedField {
  readonly name: string;
  readonly type: FieldType;
  readonly description?: string;
  /** Regular expression; what it matches is the value. */
  readonly pattern?: string;
  readonly required?: boolean;
}

/** Things that documents name in different words: English, German, French, Spanish. */
const CONCEPTS: Readonly<Record<string, readonly string[]>> = {
  invoiceNumber: [
    'invoice number',
    'invoice no',
    'invoice nr',
    'invoice id',
    'invoice #',
    'invoice',
    'rechnungsnummer',
    'rechnungs nr',
    'rechnung nr',
    'rechnungsnr',
    'belegnummer',
    'numéro de facture',
    'facture n°',
    'facture no',
    'n° de facture',
    'n° facture',
    'facture',
    'número de factura',
    'factura n°',
    'factura no',
    'nº de factura',
    'n.º de factura',
    'factura',
  ],
  invoiceDate: [
    'invoice date',
    'date of invoice',
    'date of issue',
    'issue date',
    'rechnungsdatum',
    'belegdatum',
    'date de facture',
    'date de facturation',
    "date d'émission",
    'fecha de factura',
    'fecha de emisión',
    'fecha factura',
    'date',
    'datum',
    'fecha',
  ],
  dueDate: [
    'due date',
    'payment due',
    'due',
    'fällig am',
    'fälligkeitsdatum',
    'zahlbar bis',
    'fälligkeit',
    "date d'échéance",
    'échéance',
    'fecha de vencimiento',
    'vencimiento',
  ],
  total: [
    'grand total',
    'total amount',
    'amount due',
    'total due',
    'balance due',
    'invoice total',
    'total',
    'gesamtbetrag',
    'rechnungsbetrag',
    'endbetrag',
    'gesamtsumme',
    'zu zahlender betrag',
    'zahlbetrag',
    'bruttobetrag',
    'summe',
    'gesamt',
    'total ttc',
    'montant total',
    'net à payer',
    'montant ttc',
    'importe total',
    'total a pagar',
    'total factura',
    'importe',
  ],
  net: [
    'subtotal',
    'sub total',
    'net amount',
    'net total',
    'net',
    'nettobetrag',
    'zwischensumme',
    'netto',
    'total ht',
    'montant ht',
    'sous total',
    'base imponible',
    'subtotal',
  ],
  tax: [
    'vat amount',
    'sales tax',
    'tax',
    'vat',
    'mehrwertsteuer',
    'umsatzsteuer',
    'mwst',
    'ust',
    'tva',
    'montant tva',
    'iva',
    'cuota iva',
  ],
  customerNumber: [
    'customer number',
    'customer no',
    'customer id',
    'client number',
    'account number',
    'kundennummer',
    'kunden nr',
    'kundennr',
    'numéro de client',
    'n° client',
    'número de cliente',
    'nº cliente',
  ],
  orderNumber: [
    'order number',
    'order no',
    'purchase order',
    'po number',
    'order id',
    'bestellnummer',
    'auftragsnummer',
    'bestell nr',
    'auftrags nr',
    'numéro de commande',
    'n° de commande',
    'commande n°',
    'número de pedido',
    'nº de pedido',
    'pedido',
  ],
  vatId: [
    'vat id',
    'vat number',
    'vat no',
    'vat reg no',
    'tax id',
    'ust idnr',
    'ust id nr',
    'umsatzsteuer id',
    'umsatzsteuer identifikationsnummer',
    'steuernummer',
    'n° tva',
    'numéro de tva',
    'tva intracommunautaire',
    'nif',
    'cif',
    'n.i.f.',
  ],
  iban: ['iban'],
  bic: ['bic', 'swift', 'bic/swift', 'swift code'],
  email: [
    'e mail',
    'email',
    'mail',
    'e mail address',
    'courriel',
    'adresse électronique',
    'correo electrónico',
    'correo',
  ],
  phone: [
    'phone',
    'telephone',
    'tel',
    'phone number',
    'mobile',
    'telefon',
    'telefonnummer',
    'mobil',
    'téléphone',
    'tél',
    'teléfono',
  ],
  name: ['name', 'full name', 'vor und nachname', 'nom', 'nombre'],
  firstName: ['first name', 'given name', 'vorname', 'prénom', 'nombre'],
  lastName: [
    'last name',
    'surname',
    'family name',
    'nachname',
    'familienname',
    'nom de famille',
    'apellido',
    'apellidos',
  ],
  address: ['address', 'anschrift', 'adresse', 'dirección', 'domicilio', 'street', 'straße'],
  birthDate: [
    'date of birth',
    'birth date',
    'born',
    'geburtsdatum',
    'geboren am',
    'date de naissance',
    'fecha de nacimiento',
  ],
  customer: ['customer', 'bill to', 'client', 'kunde', 'rechnungsempfänger', 'client', 'cliente'],
  supplier: ['supplier', 'vendor', 'seller', 'lieferant', 'verkäufer', 'fournisseur', 'proveedor'],
  currency: ['currency', 'währung', 'devise', 'moneda'],
  quantity: ['quantity', 'qty', 'menge', 'anzahl', 'quantité', 'qté', 'cantidad'],
};

/** Normalises a name or label for comparison: lower-case words separated by one space. */
export function plainName(text: string): string {
  return text
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\u2019`´]/g, "'")
    .replace(/[^\p{L}\p{N}#°º'/]+/gu, ' ')
    .trim();
}

const tight = (text: string): string => text.replace(/[ '/]/g, '');
const CONCEPT_OF = new Map<string, string>();
for (const [concept, words] of Object.entries(CONCEPTS))
  for (const word of [plainName(concept), ...words])
    if (!CONCEPT_OF.has(tight(plainName(word)))) CONCEPT_OF.set(tight(plainName(word)), concept);

/** Returns the common concept behind a name (`invoice no`, `Rechnungsnummer`); undefined if there is none. */
export function conceptOf(name: string): string | undefined {
  return CONCEPT_OF.get(tight(plainName(name)));
}

/** Words under which a field may be printed, with how surely each is it (0 to 1), the surest first. */
export function labelsOf({
  name,
  description,
}: Pick<WantedField, 'name' | 'description'>): readonly { readonly label: string; readonly weight: number }[] {
  const labels = new Map<string, number>();
  const add = (label: string, weight: number): void => {
    const plain = plainName(label);
    if (plain !== '') labels.set(plain, Math.max(weight, labels.get(plain) ?? 0));
  };
  add(name, 1);
  const words = CONCEPTS[conceptOf(name) ?? ''] ?? [];
  for (const [i, word] of words.entries())
    add(
      word,
      0.95 -
        (0.25 * i) / words.length -
        (word.length <= 4 || /^(?:invoice|facture|factura|rechnung|pedido|nombre)$/.test(word) ? 0.1 : 0),
    );
  if (description !== undefined && description.length <= 60) add(description, 0.8);
  return [...labels].map(([label, weight]) => ({ label, weight })).sort((a, b) => b.weight - a.weight);
}

/** How well a printed label fits a name: 1 for the same, less for one within the other, 0 for nothing. Both plain. */
export function likeness(printed: string, label: string): number {
  if (printed === '' || label === '') return 0;
  if (printed === label || tight(printed) === tight(label)) return 1;
  const [a, b] = [new Set(printed.split(' ')), new Set(label.split(' '))];
  const shared = [...b].filter((word) => a.has(word)).length;
  if (shared === b.size) return 0.6 + 0.3 * (b.size / a.size);
  if (shared === a.size && label.length > 3) return 0.45 + 0.25 * (a.size / b.size);
  return shared >= 2 ? 0.4 * (shared / Math.max(a.size, b.size)) : 0;
}
