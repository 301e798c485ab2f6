import { type Additions, extendedTerms } from '../model/index.js';
import type { Group } from '../model/index.js';
import type { Label } from './languages.js';

/** What the groups of Factur-X EXTENDED are called; their terms are named after them: "Invoicee, city". */
const GROUPS: Readonly<Record<string, Label>> = {
  'BG-X-49': ['Vertreter des Verkäufers', 'Sales agent', 'Agent du vendeur'],
  'BG-X-54': ['Steuervertreter des Käufers', 'Buyer tax representative', "Représentant fiscal de l'acheteur"],
  'BG-X-18': ['Endverwender', 'Product end user', 'Utilisateur final'],
  'BG-X-62': ['Vertreter des Käufers', 'Buyer agent', "Agent de l'acheteur"],
  'BG-X-33': ['Rechnungssteller', 'Invoicer', 'Facturant'],
  'BG-X-36': ['Abweichender Rechnungsempfänger', 'Invoicee', 'Facturé à'],
  'BG-X-73': ['Zahler', 'Payer', 'Payeur'],
  'BG-X-27': ['Endgültiger Lieferempfänger', 'Ultimate ship to party', 'Destinataire final'],
  'BG-X-30': ['Versender', 'Ship from party', 'Expéditeur'],
  'BG-X-7': ['Lieferempfänger', 'Deliver to', 'Destinataire'],
  'BG-X-10': ['Endgültiger Lieferempfänger', 'Ultimate ship to party', 'Destinataire final'],
  'BG-X-40': ['Zahlungsempfänger', 'Payee', 'Bénéficiaire'],
  'BG-X-39': ['Kontakt beim Zahlungsempfänger', 'Payee contact', 'Contact du bénéficiaire'],
  'BG-X-26': ['Kontakt am Lieferort', 'Contact at the place of delivery', 'Contact au lieu de livraison'],
  'BT-X-202-00': ['Lieferschein (EXTENDED)', 'Delivery note', 'Bon de livraison'],
  'BG-X-61': ['Angebot', 'Quotation', 'Devis'],
  'BG-X-47': ['Angebot', 'Quotation', 'Devis'],
  'BG-X-2': ['Vertrag', 'Contract', 'Contrat'],
  'BG-X-13': ['Lieferavis', 'Despatch advice', "Avis d'expédition"],
  'BG-X-82': ['Wareneingang', 'Receiving advice', 'Avis de réception'],
  'BG-X-83': ['Lieferschein', 'Delivery note', 'Bon de livraison'],
  'BG-X-48': ['Vorausgegangene Rechnung', 'Preceding invoice', 'Facture antérieure'],
  'BG-X-5': ['Bestellung des Endkunden', 'Ultimate customer order', 'Commande du client final'],
  'BG-X-23': ['Bestellung des Endkunden', 'Ultimate customer order', 'Commande du client final'],
  'BG-X-84': ['Exemplar', 'Item instance', "Exemplaire de l'article"],
  'BG-X-1': ['Enthaltener Artikel', 'Included item', 'Article inclus'],
  'BT-X-302-00': ['Zuschlag auf den Preis', 'Price charge', 'Majoration du prix'],
  'BG-X-44': ['Skonto', 'Early payment discount', 'Escompte'],
  'BG-X-43': ['Verzugszuschlag', 'Late payment penalty', 'Pénalité de retard'],
  'BG-X-42': ['Logistikpauschale', 'Logistics service fee', 'Frais logistiques'],
  'BG-X-41': ['Umrechnung', 'Currency exchange', 'Conversion de devise'],
  'BG-X-45': ['Anzahlung', 'Advance payment', 'Acompte'],
  'BG-X-46': ['Umsatzsteuer der Anzahlung', 'Advance payment VAT', "TVA de l'acompte"],
};

/** What the terms in such a group are called, by their keys. */
const MEMBERS: Readonly<Record<string, Label>> = {
  name: ['Name', 'name', 'nom'],
  tradingName: ['Handelsname', 'trading name', 'nom commercial'],
  identifiers: ['Kennung', 'identifier', 'identifiant'],
  legalRegistration: ['Registernummer', 'registration number', "numéro d'immatriculation"],
  vatIdentifier: ['Umsatzsteuer-ID', 'VAT number', 'numéro de TVA'],
  electronicAddress: ['elektronische Adresse', 'electronic address', 'adresse électronique'],
  role: ['Rolle', 'role', 'rôle'],
  line1: ['Straße', 'address line 1', 'adresse'],
  line2: ['Adresszusatz', 'address line 2', "complément d'adresse"],
  line3: ['weiterer Adresszusatz', 'address line 3', "deuxième complément d'adresse"],
  city: ['Ort', 'city', 'ville'],
  postCode: ['Postleitzahl', 'post code', 'code postal'],
  subdivision: ['Region', 'region', 'région'],
  country: ['Land', 'country', 'pays'],
  department: ['Abteilung', 'department', 'service'],
  telephone: ['Telefon', 'telephone', 'téléphone'],
  fax: ['Fax', 'fax', 'télécopie'],
  email: ['E-Mail', 'email', 'e-mail'],
  number: ['Nummer', 'number', 'numéro'],
  date: ['Datum', 'date', 'date'],
  line: ['Position', 'line', 'ligne'],
  batch: ['Charge', 'batch', 'lot'],
  serialNumber: ['Seriennummer', 'serial number', 'numéro de série'],
  identifier: ['Kennung', 'identifier', 'identifiant'],
  standardIdentifiers: ['Standardkennung', 'standard identifier', 'identifiant standard'],
  sellerIdentifier: ['Artikelnummer des Verkäufers', "seller's item number", 'référence du vendeur'],
  buyerIdentifier: ['Artikelnummer des Käufers', "buyer's item number", "référence de l'acheteur"],
  description: ['Beschreibung', 'description', 'description'],
  quantity: ['Menge', 'quantity', 'quantité'],
  unit: ['Einheit', 'unit', 'unité'],
  amount: ['Betrag', 'amount', 'montant'],
  percentage: ['Prozentsatz', 'percentage', 'pourcentage'],
  baseAmount: ['Grundbetrag', 'base amount', 'montant de base'],
  reason: ['Grund', 'reason', 'motif'],
  period: ['Frist', 'period', 'délai'],
  periodUnit: ['Einheit der Frist', 'period unit', 'unité du délai'],
  vatCategory: ['Umsatzsteuerkategorie', 'VAT category', 'catégorie de TVA'],
  vatRate: ['Umsatzsteuersatz', 'VAT rate', 'taux de TVA'],
  source: ['Ausgangswährung', 'source currency', 'devise source'],
  target: ['Zielwährung', 'target currency', 'devise cible'],
  rate: ['Kurs oder Satz', 'rate', 'taux'],
  category: ['Kategorie', 'category', 'catégorie'],
  exemptionReason: ['Grund der Befreiung', 'exemption reason', "motif d'exonération"],
  exemptionReasonCode: ['Code der Befreiung', 'exemption reason code', "code d'exonération"],
};

/** Terms of EXTENDED in groups of EN 16931, and groups whose terms are called as those of EN 16931. */
const TERMS: Record<string, Label> = {
  'BT-X-2': ['Titel des Dokuments', 'Document name', 'Nom du document'],
  'BT-X-4': ['Sprache', 'Language', 'Langue'],
  'BT-X-6': ['Vertragliche Fälligkeit', 'Contractual due date', "Date d'échéance contractuelle"],
  'BT-X-3': ['Kopie', 'Copy', 'Copie'],
  'BT-X-204': ['Zeichen des Verkäufers', 'Seller reference', 'Référence du vendeur'],
  'BT-X-148': ['Datum des Vertrags', 'Contract date', 'Date du contrat'],
  'BT-X-147': ['Datum der Bestellung', 'Purchase order date', 'Date de la commande'],
  'BT-X-146': ['Datum des Auftrags', 'Sales order date', 'Date de la commande du vendeur'],
  'BT-X-200': ['Datum des Lieferscheins', 'Despatch advice date', "Date de l'avis d'expédition"],
  'BT-X-201': ['Datum des Wareneingangs', 'Receiving advice date', "Date de l'avis de réception"],
  'BT-18-00': ['Weiteres Objekt', 'Further invoiced object', 'Autre objet facturé'],
  'BT-17-00': ['Weitere Vergabe', 'Further tender or lot', "Autre appel d'offres ou lot"],
  'BT-20-00': ['Weitere Zahlungsbedingungen', 'Further payment terms', 'Autres conditions de paiement'],
  'BT-147-00': ['Weiterer Preisnachlass', 'Further price discount', 'Autre remise sur le prix'],
  'BT-X-5': ['Codierte Bemerkung', 'Coded note', 'Note codée'],
  'BT-X-1': ['Testrechnung', 'Test invoice', 'Facture de test'],
  'BT-41-0': ['Abteilung', 'Department', 'Service'],
  'BT-X-107': ['Fax', 'Fax', 'Télécopie'],
  'BT-X-543': ['Rolle', 'Role', 'Rôle'],
  'BT-46-0': ['Globale Kennung', 'Global identifier', 'Identifiant global'],
  'BT-X-334': ['Rechtliche Angaben', 'Legal information', 'Mentions légales'],
  'BT-56-0': ['Abteilung', 'Department', 'Service'],
  'BT-X-115': ['Fax', 'Fax', 'Télécopie'],
  'BT-X-544': ['Rolle', 'Role', 'Rôle'],
  'BT-X-243': ['Handelsname', 'Trading name', 'Nom commercial'],
  'BT-X-257': ['Umsatzsteuer-ID', 'VAT number', 'Numéro de TVA'],
  'BT-X-160': [
    'Elektronische Adresse am Lieferort',
    'Deliver to electronic address',
    'Adresse électronique de livraison',
  ],
  'BT-X-154': ['Handelsname am Lieferort', 'Deliver to trading name', 'Nom commercial du destinataire'],
  'BT-X-153': ['Registernummer am Lieferort', 'Deliver to registration number', 'Immatriculation du destinataire'],
  'BT-X-161': ['Umsatzsteuer-ID am Lieferort', 'Deliver to VAT number', 'Numéro de TVA du destinataire'],
  'BT-X-275': ['Teilbetrag', 'Partial payment amount', 'Montant partiel'],
  'BT-X-283': ['Skontofrist', 'Discount period', "Délai d'escompte"],
  'BT-X-284': ['Einheit der Skontofrist', 'Discount period unit', "Unité du délai d'escompte"],
  'BT-X-285': ['Skontofähiger Betrag', 'Discount base amount', "Base de l'escompte"],
  'BT-X-286': ['Skontosatz', 'Discount percentage', "Taux d'escompte"],
  'BT-X-287': ['Skontobetrag', 'Discount amount', "Montant de l'escompte"],
  'BT-X-282': ['Skonto ab', 'Discount reference date', "Date de référence de l'escompte"],
  'BT-X-262': ['Summe der Positionen', 'Line total', 'Total des lignes'],
  'BT-X-263': ['Summe der Zu- und Abschläge', 'Total of allowances and charges', 'Total des remises et majorations'],
  'BT-X-10': ['Thema der Bemerkung zur Position', 'Line note subject', 'Objet de la note de ligne'],
  'BT-X-9': ['Codierte Bemerkung zur Position', 'Coded line note', 'Note de ligne codée'],
  'BT-X-304': ['Übergeordnete Position', 'Parent line', 'Ligne parente'],
  'BT-X-7': ['Status der Position', 'Line status', 'Statut de la ligne'],
  'BT-X-8': ['Art der Position', 'Line subtype', 'Sous-type de ligne'],
  'BT-X-21': ['Bestellnummer', 'Purchase order number', 'Numéro de commande'],
  'BT-X-22': ['Datum der Bestellung', 'Purchase order date', 'Date de la commande'],
  'BT-X-46': ['Menge ohne Berechnung', 'Charge free quantity', 'Quantité gratuite'],
  'BT-X-46-0': ['Einheit der Menge ohne Berechnung', 'Charge free quantity unit', 'Unité de la quantité gratuite'],
  'BT-X-47': ['Packstücke', 'Packages', 'Colis'],
  'BT-X-47-0': ['Art der Packstücke', 'Package unit', 'Unité de colis'],
  'BT-X-85': ['Liefertag der Position', 'Line delivery date', 'Date de livraison de la ligne'],
  'BT-X-327': ['Zuschläge der Position', 'Line charges', 'Majorations de la ligne'],
  'BT-X-328': ['Nachlässe der Position', 'Line allowances', 'Remises de la ligne'],
  'BT-X-98': ['Zu- und Abschläge der Position', 'Line allowances and charges', 'Remises et majorations de la ligne'],
  'BT-X-330': ['Bruttobetrag der Position', 'Line gross amount', 'Montant TTC de la ligne'],
  'BT-X-34': ['Preisnachlass in Prozent', 'Price discount percentage', 'Remise sur le prix en pourcentage'],
  'BT-X-35': ['Grundbetrag des Preisnachlasses', 'Price discount base amount', 'Base de la remise sur le prix'],
  'BT-X-36': ['Grund des Preisnachlasses', 'Price discount reason', 'Motif de la remise sur le prix'],
  'BT-X-313': ['Code des Preisnachlasses', 'Price discount reason code', 'Code de la remise sur le prix'],
  'BT-X-95': ['Umsatzsteuer der Position', 'Line VAT amount', 'TVA de la ligne'],
  'BT-X-96': ['Grund der Steuerbefreiung', 'VAT exemption reason', "Motif d'exonération de TVA"],
  'BT-X-97': ['Code der Steuerbefreiung', 'VAT exemption reason code', "Code d'exonération de TVA"],
  'BT-X-305': ['Kennung', 'Item identifier', "Identifiant de l'article"],
  'BT-X-532': ['Kennung der Branche', 'Industry identifier', 'Identifiant du secteur'],
  'BT-X-533': ['Modellnummer', 'Model identifier', 'Identifiant du modèle'],
  'BT-X-534': ['Charge', 'Batch', 'Lot'],
  'BT-X-535': ['Marke', 'Brand', 'Marque'],
  'BT-X-536': ['Modell', 'Model', 'Modèle'],
  'BT-X-11': ['Art des Merkmals', 'Attribute type', "Type d'attribut"],
};

/** Labels of what Factur-X EXTENDED adds, by id. */
export const extendedLabels: Readonly<Record<string, Label>> = (() => {
  const labels: Record<string, Label> = { ...TERMS };
  nameAll(extendedTerms, labels);
  return labels;
})();

function nameAll(additions: Additions, labels: Record<string, Label>): void {
  for (const entry of Object.values(additions)) {
    if (typeof entry['node'] !== 'string') nameAll(entry as Additions, labels);
    else if (entry['node'] === 'group') nameGroup(entry as Group, GROUPS[(entry as Group).id], labels);
  }
}

/** A group within a party is named by the party. */
function nameGroup({ id, terms }: Group, label: Label | undefined, labels: Record<string, Label>): void {
  if (label === undefined) return;
  labels[id] = label;
  for (const [key, entry] of Object.entries(terms)) {
    const member = MEMBERS[key];
    if (entry.node === 'group') nameGroup(entry, GROUPS[entry.id] ?? inner(label, key), labels);
    else if (member !== undefined) labels[entry.id] = join(label, member);
  }
}

function join(group: Label, member: Label): Label {
  return [`${group[0]}, ${member[0]}`, `${group[1]}, ${member[1]}`, `${group[2]}, ${member[2]}`];
}

function inner(party: Label, key: string): Label {
  return key === 'contact' ? join(party, ['Kontakt', 'contact', 'contact']) : party;
}
