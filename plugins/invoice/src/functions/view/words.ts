import { inLanguage, type Label, type Language } from '@quire/document/invoices/labels';

/** Headings and phrases of the page that name no term of the model. */
const words = {
  references: ['Rechnungsdaten', 'Invoice details', 'Informations de facturation'],
  notes: ['Bemerkungen', 'Notes', 'Notes'],
  lines: ['Positionen', 'Lines', 'Lignes'],
  quantity: ['Menge', 'Quantity', 'Quantité'],
  vat: ['USt.', 'VAT', 'TVA'],
  reductions: ['Nachlässe und Zuschläge', 'Allowances and charges', 'Remises et frais'],
  kind: ['Art', 'Kind', 'Type'],
  base: ['Grundbetrag', 'Base amount', 'Assiette'],
  percentage: ['Prozent', 'Percentage', 'Taux'],
  amount: ['Betrag', 'Amount', 'Montant'],
  amountIn: ['Betrag in {currency}', 'Amount in {currency}', 'Montant en {currency}'],
  rate: ['Satz', 'Rate', 'Taux'],
  total: ['Summe', 'Total', 'Total'],
  attachments: ['Anlagen', 'Attachments', 'Pièces jointes'],
  precedingInvoices: ['Vorausgegangene Rechnungen', 'Preceding invoices', 'Factures antérieures'],
  thirdPartyPayments: ['Zahlungen an Dritte', 'Third party payments', 'Paiements à des tiers'],
  others: ['Weitere Angaben', 'Other details', 'Autres informations'],
  further: ['Weitere Daten der Datei', 'Further data of the file', 'Autres données du fichier'],
  furtherNote: [
    'Diese Inhalte der XML-Datei haben im Modell der EN 16931 keinen Platz. Sie sind unverändert wiedergegeben.',
    'The model of EN 16931 has no place for this content of the XML file. It is shown unchanged.',
    "Le modèle EN 16931 n'a pas de place pour ce contenu du fichier XML. Il est reproduit sans modification.",
  ],
  path: ['Stelle', 'Path', 'Chemin'],
  value: ['Wert', 'Value', 'Valeur'],
  basis: [
    'Lesbare Darstellung einer E-Rechnung ({profile}). Maßgeblich sind die Daten der XML-Datei.',
    'Readable form of an electronic invoice ({profile}). The data of the XML file prevails.',
    "Forme lisible d'une facture électronique ({profile}). Les données du fichier XML font foi.",
  ],
  unknownProfile: ['unbekanntes Profil', 'unknown profile', 'profil inconnu'],
  page: ['Seite {page} von {pages}', 'Page {page} of {pages}', 'Page {page} sur {pages}'],
} as const satisfies Readonly<Record<string, Label>>;

export type Word = keyof typeof words;

/** A phrase in the language, its placeholders filled in. */
export function wordOf(word: Word, language: Language, values: Readonly<Record<string, string>> = {}): string {
  return inLanguage(words[word], language).replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
