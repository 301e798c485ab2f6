import { inLanguage, type Label, type Language } from './languages.js';

type Codes = Readonly<Record<string, Label>>;

/** UNTDID 1001, as far as EN 16931 and XRechnung use it. */
const documentTypes: Codes = {
  71: ['Zahlungsaufforderung', 'Request for payment', 'Demande de paiement'],
  80: ['Lastschriftanzeige', 'Debit note for goods or services', 'Note de débit de biens ou de services'],
  82: ['Rechnung für Messwerte', 'Metered services invoice', 'Facture de services mesurés'],
  84: ['Lastschriftanzeige für Finanzanpassung', 'Debit note, financial', 'Note de débit financière'],
  102: ['Steuerlicher Beleg', 'Tax notification', 'Avis fiscal'],
  130: ['Rechnungsdatenblatt', 'Invoicing data sheet', 'Feuille de données de facturation'],
  202: ['Abrechnung nach Aufmaß', 'Direct payment valuation', 'Décompte de travaux'],
  203: ['Vorläufige Abrechnung nach Aufmaß', 'Provisional payment valuation', 'Décompte provisoire de travaux'],
  204: ['Zahlungsbewertung', 'Payment valuation', 'Décompte de paiement'],
  211: ['Zwischenabrechnung', 'Interim application for payment', 'Demande de paiement intermédiaire'],
  218: ['Schlussabrechnung', 'Final payment request', 'Demande de paiement final'],
  219: ['Zahlungsanforderung nach Fertigstellung', 'Payment request for completed units', 'Demande de paiement'],
  261: ['Gutschrift in Selbstabrechnung', 'Self-billed credit note', 'Avoir autofacturé'],
  262: ['Konsolidierte Gutschrift', 'Consolidated credit note', 'Avoir récapitulatif'],
  295: ['Preisänderungsrechnung', 'Price variation invoice', 'Facture de révision de prix'],
  296: ['Gutschrift aus Preisänderung', 'Credit note for price variation', 'Avoir de révision de prix'],
  308: ['Delkredere-Gutschrift', 'Delcredere credit note', 'Avoir ducroire'],
  325: ['Proforma-Rechnung', 'Proforma invoice', 'Facture proforma'],
  326: ['Teilrechnung', 'Partial invoice', 'Facture partielle'],
  331: ['Handelsrechnung mit Packliste', 'Commercial invoice with packing list', 'Facture avec liste de colisage'],
  380: ['Rechnung', 'Invoice', 'Facture'],
  381: ['Rechnungskorrektur (Gutschrift)', 'Credit note', 'Avoir'],
  382: ['Provisionsmitteilung', 'Commission note', 'Note de commission'],
  383: ['Belastungsanzeige', 'Debit note', 'Note de débit'],
  384: ['Korrigierte Rechnung', 'Corrected invoice', 'Facture rectificative'],
  385: ['Sammelrechnung', 'Consolidated invoice', 'Facture récapitulative'],
  386: ['Vorauszahlungsrechnung', 'Prepayment invoice', "Facture d'acompte"],
  387: ['Mietrechnung', 'Hire invoice', 'Facture de location'],
  388: ['Steuerrechnung', 'Tax invoice', 'Facture fiscale'],
  389: ['Gutschrift (Selbstabrechnung)', 'Self-billed invoice', 'Autofacture'],
  390: ['Delkredere-Rechnung', 'Delcredere invoice', 'Facture ducroire'],
  393: ['Factoring-Rechnung', 'Factored invoice', 'Facture affacturée'],
  394: ['Leasing-Rechnung', 'Lease invoice', 'Facture de crédit-bail'],
  395: ['Konsignationsrechnung', 'Consignment invoice', 'Facture de consignation'],
  396: ['Factoring-Gutschrift', 'Factored credit note', 'Avoir affacturé'],
  420: ['Gutschrift (OCR)', 'Optical character reading payment credit note', 'Avoir à lecture optique'],
  456: ['Lastschrift', 'Debit advice', 'Avis de débit'],
  457: ['Storno einer Belastung', 'Reversal of debit', 'Annulation de débit'],
  458: ['Storno einer Gutschrift', 'Reversal of credit', 'Annulation de crédit'],
  527: ['Belastungsanzeige in Selbstabrechnung', 'Self-billed debit note', 'Note de débit autofacturée'],
  532: ['Gutschrift eines Spediteurs', "Forwarder's credit note", 'Avoir du transitaire'],
  553: ['Abrechnung eines Spediteurs', "Forwarder's invoice discrepancy report", 'Litige du transitaire'],
  575: ['Versicherungsrechnung', "Insurer's invoice", "Facture d'assurance"],
  623: ['Rechnung eines Spediteurs', "Forwarder's invoice", 'Facture du transitaire'],
  633: ['Hafengebührenrechnung', 'Port charges invoice', 'Facture de frais portuaires'],
  751: ['Rechnung für die Buchhaltung', 'Invoice information for accounting', 'Facture pour la comptabilité'],
  780: ['Frachtrechnung', 'Freight invoice', 'Facture de fret'],
  817: ['Schadensmeldung', 'Claim notification', 'Déclaration de sinistre'],
  870: ['Konsulatsfaktura', 'Consular invoice', 'Facture consulaire'],
  875: ['Teilrechnung für Bauleistungen', 'Partial construction invoice', 'Facture partielle de travaux'],
  876: [
    'Teilschlussrechnung für Bauleistungen',
    'Partial final construction invoice',
    'Facture de solde partiel de travaux',
  ],
  877: ['Schlussrechnung für Bauleistungen', 'Final construction invoice', 'Facture de solde de travaux'],
  935: ['Zollrechnung', 'Customs invoice', 'Facture douanière'],
};

/** UNTDID 4461. */
const paymentMeans: Codes = {
  1: ['Nicht angegeben', 'Not defined', 'Non défini'],
  10: ['Barzahlung', 'Cash', 'Espèces'],
  20: ['Scheck', 'Cheque', 'Chèque'],
  30: ['Überweisung', 'Credit transfer', 'Virement'],
  31: ['Überweisung (Belastung)', 'Debit transfer', 'Virement de débit'],
  42: ['Zahlung auf Bankkonto', 'Payment to bank account', 'Paiement sur compte bancaire'],
  48: ['Kartenzahlung', 'Bank card', 'Carte bancaire'],
  49: ['Lastschrift', 'Direct debit', 'Prélèvement'],
  54: ['Kreditkarte', 'Credit card', 'Carte de crédit'],
  55: ['Debitkarte', 'Debit card', 'Carte de débit'],
  57: ['Dauerauftrag', 'Standing agreement', 'Accord permanent'],
  58: ['SEPA-Überweisung', 'SEPA credit transfer', 'Virement SEPA'],
  59: ['SEPA-Lastschrift', 'SEPA direct debit', 'Prélèvement SEPA'],
  68: ['Online-Zahlungsdienst', 'Online payment service', 'Service de paiement en ligne'],
  97: ['Verrechnung zwischen Partnern', 'Clearing between partners', 'Compensation entre partenaires'],
  ZZZ: ['Gemäß Vereinbarung', 'Mutually defined', 'Convenu entre les parties'],
};

/** UNTDID 5305. */
const vatCategories: Codes = {
  S: ['Umsatzsteuerpflichtig', 'Standard rate', 'Taux normal'],
  Z: ['Nullsatz', 'Zero rated', 'Taux zéro'],
  E: ['Steuerbefreit', 'Exempt from VAT', 'Exonéré de TVA'],
  AE: ['Steuerschuldnerschaft des Leistungsempfängers', 'Reverse charge', 'Autoliquidation'],
  K: ['Innergemeinschaftliche Lieferung', 'Intra-community supply', 'Livraison intracommunautaire'],
  G: ['Ausfuhr, steuerfrei', 'Export, VAT not charged', 'Exportation hors TVA'],
  O: ['Nicht steuerbar', 'Not subject to VAT', 'Hors champ de la TVA'],
  L: ['IGIC (Kanarische Inseln)', 'IGIC (Canary Islands)', 'IGIC (îles Canaries)'],
  M: ['IPSI (Ceuta und Melilla)', 'IPSI (Ceuta and Melilla)', 'IPSI (Ceuta et Melilla)'],
  B: ['Split Payment', 'Split payment', 'Paiement scindé'],
};

/** UNECE Recommendations 20 and 21: the units that invoices use most. */
const units: Codes = {
  ANN: ['Jahr', 'year', 'an'],
  C62: ['Stück', 'unit', 'unité'],
  CMK: ['cm²', 'cm²', 'cm²'],
  CMT: ['cm', 'cm', 'cm'],
  DAY: ['Tag', 'day', 'jour'],
  DZN: ['Dutzend', 'dozen', 'douzaine'],
  E48: ['Leistungseinheit', 'service unit', 'unité de service'],
  EA: ['Stück', 'each', 'pièce'],
  GRM: ['g', 'g', 'g'],
  H87: ['Stück', 'piece', 'pièce'],
  HAR: ['ha', 'ha', 'ha'],
  HUR: ['Stunde', 'hour', 'heure'],
  KGM: ['kg', 'kg', 'kg'],
  KMT: ['km', 'km', 'km'],
  KTM: ['km', 'km', 'km'],
  KWH: ['kWh', 'kWh', 'kWh'],
  KWT: ['kW', 'kW', 'kW'],
  LS: ['pauschal', 'lump sum', 'forfait'],
  LTR: ['l', 'l', 'l'],
  MGM: ['mg', 'mg', 'mg'],
  MIN: ['Minute', 'minute', 'minute'],
  MLT: ['ml', 'ml', 'ml'],
  MMT: ['mm', 'mm', 'mm'],
  MON: ['Monat', 'month', 'mois'],
  MTK: ['m²', 'm²', 'm²'],
  MTQ: ['m³', 'm³', 'm³'],
  MTR: ['m', 'm', 'm'],
  MWH: ['MWh', 'MWh', 'MWh'],
  NAR: ['Anzahl', 'number of articles', "nombre d'articles"],
  NPR: ['Paar', 'pair', 'paire'],
  NPT: ['Teil', 'part', 'partie'],
  P1: ['Prozent', 'percent', 'pour cent'],
  PR: ['Paar', 'pair', 'paire'],
  QAN: ['Quartal', 'quarter', 'trimestre'],
  SEC: ['Sekunde', 'second', 'seconde'],
  SET: ['Satz', 'set', 'jeu'],
  TNE: ['t', 't', 't'],
  WEE: ['Woche', 'week', 'semaine'],
  XBX: ['Karton', 'box', 'boîte'],
  XCT: ['Karton', 'carton', 'carton'],
  XPA: ['Päckchen', 'packet', 'paquet'],
  XPK: ['Paket', 'package', 'colis'],
  XPP: ['Stück', 'piece', 'pièce'],
  XPX: ['Palette', 'pallet', 'palette'],
  XRO: ['Rolle', 'roll', 'rouleau'],
  XSA: ['Sack', 'sack', 'sac'],
  ZZ: ['Einheit nach Vereinbarung', 'mutually defined unit', 'unité convenue'],
};

/** UNTDID 5189 (allowances) and 7161 (charges): the reasons that invoices use most. */
const allowanceReasons: Codes = {
  41: ['Bonus für vorzeitige Fertigstellung', 'Bonus for works ahead of schedule', 'Prime pour avance sur planning'],
  42: ['Sonstiger Bonus', 'Other bonus', 'Autre prime'],
  60: ['Herstellerrabatt', "Manufacturer's consumer discount", 'Remise fabricant'],
  62: ['Abzug wegen Militärstatus', 'Due to military status', 'Statut militaire'],
  63: ['Abzug wegen Arbeitsunfalls', 'Due to work accident', 'Accident du travail'],
  64: ['Sondervereinbarung', 'Special agreement', 'Accord spécial'],
  65: ['Fehlerhafte Herstellung', 'Production error discount', 'Erreur de production'],
  66: ['Preisnachlass für neue Filiale', 'New outlet discount', 'Nouveau point de vente'],
  67: ['Musterrabatt', 'Sample discount', 'Remise échantillon'],
  68: ['Auslaufrabatt', 'End of range discount', 'Fin de série'],
  70: ['Incoterm-Rabatt', 'Incoterm discount', 'Remise Incoterm'],
  71: ['Kassenschwellenrabatt', 'Point of sales threshold allowance', 'Seuil de vente'],
  88: ['Materialzuschlag oder -abzug', 'Material surcharge or deduction', 'Supplément ou déduction de matière'],
  95: ['Rabatt', 'Discount', 'Remise'],
  100: ['Sonderrabatt', 'Special rebate', 'Rabais spécial'],
  102: ['Fester langfristiger Rabatt', 'Fixed long term', 'Remise permanente'],
  103: ['Befristeter Rabatt', 'Temporary', 'Remise temporaire'],
  104: ['Standardrabatt', 'Standard', 'Remise standard'],
  105: ['Jahresumsatzrabatt', 'Yearly turnover', "Remise sur chiffre d'affaires annuel"],
};

const chargeReasons: Codes = {
  AA: ['Werbung', 'Advertising', 'Publicité'],
  ABK: ['Verschiedenes', 'Miscellaneous', 'Divers'],
  ABL: ['Zusätzliche Verpackung', 'Additional packaging', 'Emballage supplémentaire'],
  ADR: ['Sonstige Dienste', 'Other services', 'Autres services'],
  ADT: ['Abholung', 'Pick-up', 'Enlèvement'],
  AEO: ['Sammlung und Verwertung', 'Collection and recycling', 'Collecte et recyclage'],
  CAI: ['Beladung', 'Loading', 'Chargement'],
  DL: ['Zustellung', 'Delivery', 'Livraison'],
  FC: ['Frachtkosten', 'Freight service', 'Frais de transport'],
  FI: ['Finanzierung', 'Financing', 'Financement'],
  HD: ['Bearbeitung', 'Handling', 'Manutention'],
  IN: ['Versicherung', 'Insurance', 'Assurance'],
  IS: ['Rechnungsstellung', 'Invoicing service', 'Facturation'],
  LA: ['Etikettierung', 'Labelling', 'Étiquetage'],
  PC: ['Verpackung', 'Packing', 'Emballage'],
  RAA: ['Wiederbevorratung', 'Restocking', 'Réapprovisionnement'],
  SH: ['Sonderbehandlung', 'Special handling', 'Manutention spéciale'],
  TAC: ['Prüfung', 'Testing', 'Essais'],
  TX: ['Steuer', 'Tax', 'Taxe'],
};

/** UNTDID 2475 in CII, 2005 in UBL: the same three events. */
const taxPoints: Codes = {
  3: ['Rechnungsdatum', 'Invoice date', 'Date de facture'],
  5: ['Rechnungsdatum', 'Invoice date', 'Date de facture'],
  29: ['Lieferdatum', 'Delivery date', 'Date de livraison'],
  35: ['Lieferdatum', 'Delivery date', 'Date de livraison'],
  72: ['Zahlungsdatum', 'Date of payment', 'Date de paiement'],
  432: ['Zahlungsdatum', 'Date of payment', 'Date de paiement'],
};

/** UNTDID 4451: the subjects of notes that invoices use most. */
const noteSubjects: Codes = {
  AAI: ['Allgemeines', 'General information', 'Informations générales'],
  AAJ: ['Zusätzliche Bedingungen', 'Additional conditions', 'Conditions supplémentaires'],
  AAK: ['Preisbedingungen', 'Price conditions', 'Conditions de prix'],
  AAB: ['Zahlungsbedingungen', 'Payment terms', 'Conditions de paiement'],
  ABL: ['Behördliche Angaben', 'Government information', 'Informations administratives'],
  ABN: ['Buchungsinformation', 'Accounting information', 'Informations comptables'],
  ADU: ['Hinweis', 'Note', 'Note'],
  PMD: ['Zahlungsverzug', 'Payment details', 'Pénalités de retard'],
  PMT: ['Zahlungsinformation', 'Payment information', 'Informations de paiement'],
  REG: ['Registerangaben', 'Regulatory information', 'Informations réglementaires'],
  SUR: ['Bemerkung des Verkäufers', 'Supplier remarks', 'Remarques du vendeur'],
  TXD: ['Steuererklärung', 'Tax declaration', 'Déclaration fiscale'],
  CUS: ['Zollangaben', 'Customs information', 'Informations douanières'],
};

const address = ['BT-40', 'BT-55', 'BT-69', 'BT-80'];

/** What a code of a term means: a table, or names that the language's own data has. */
const lists: Readonly<Record<string, Codes | 'region' | 'currency'>> = {
  'BT-3': documentTypes,
  'BT-5': 'currency',
  'BT-6': 'currency',
  'BT-8': taxPoints,
  'BT-21': noteSubjects,
  'BT-81': paymentMeans,
  ...Object.fromEntries(['BT-95', 'BT-102', 'BT-118', 'BT-151'].map((id) => [id, vatCategories])),
  ...Object.fromEntries(['BT-98', 'BT-140'].map((id) => [id, allowanceReasons])),
  ...Object.fromEntries(['BT-105', 'BT-145'].map((id) => [id, chargeReasons])),
  ...Object.fromEntries(['BT-130', 'BT-150'].map((id) => [id, units])),
  ...Object.fromEntries([...address, 'BT-159'].map((id) => [id, 'region' as const])),
};

/** What a code of this term means in words; undefined for a code that the tables do not have. */
export function codeMeaning(term: string, code: string, language: Language): string | undefined {
  const list = lists[term];
  if (list === undefined) return undefined;
  if (list === 'region' || list === 'currency') return displayName(list, code, language);
  return Object.hasOwn(list, code) ? inLanguage(list[code] ?? ['', '', ''], language) : undefined;
}

const shapes = { region: /^[A-Z]{2}$/, currency: /^[A-Z]{3}$/ };
const names = new Map<string, Intl.DisplayNames>();

/** By the data that JavaScript comes with (Unicode CLDR). */
function displayName(type: 'region' | 'currency', code: string, language: Language): string | undefined {
  if (!shapes[type].test(code)) return undefined;
  const key = `${type} ${language}`;
  const known = names.get(key) ?? new Intl.DisplayNames(language, { type, fallback: 'none' });
  names.set(key, known);
  return known.of(code);
}

/** Electronic Address Schemes and ISO/IEC 6523 codes whose name says more than the number. */
const schemes: Readonly<Record<string, string>> = {
  '0002': 'SIREN',
  '0009': 'SIRET',
  '0060': 'D-U-N-S',
  '0088': 'GLN',
  '0160': 'GTIN',
  '0204': 'Leitweg-ID',
  '0208': 'KBO/BCE',
  '9930': 'USt-IdNr.',
  EM: 'E-Mail',
  VA: 'VAT',
  FC: 'Tax number',
};

/** `GLN (0088)` for the scheme of an identifier; the code itself where it has no name here. */
export function schemeName(code: string): string {
  return Object.hasOwn(schemes, code) ? `${schemes[code]} (${code})` : code;
}
