const word = (words: string): RegExp => new RegExp(String.raw`(?<![\p{L}])(?:${words})(?![\p{L}])`, 'iu');

/** Labels of rows that add up what stands above. */
export const TOTAL = word(
  String.raw`(?:sub|grand )?-?\s?totals?|sum|amount due|balance due|amount payable|gross(?: amount)?|(?:zwischen|gesamt|end)?summe|(?:gesamt|netto|brutto|end|rechnungs|zahl)betrag|gesamt|brutto|insgesamt|(?:sous|montant)[- ]total|tota(?:l|ux|le|li)|somme|net à payer|montant ttc|suma|importe total|totaal|subtotaal|razem|合計|小計|总计|總計|总额`,
);
/** Labels of rows that are part of another row. */
export const PART =
  /^\s*(?:of which|thereof|davon|darunter|dont|de los cuales|de las cuales|di cui|incl(?:\.|uding|uded)?|inkl|enthalten|y compris)/iu;
/** Labels of rows that take away, written without a sign. */
export const DEDUCTION = word(
  'discount|less|deduct(?:ion|ions|ed)|rebate|deposit|prepaid|paid|prepayment|credit|' +
    'rabatt|skonto|nachlass|abzug|abzüglich|anzahlung|' +
    'remise|acompte|déduction|descuento|anticipo|sconto|acconto',
);
/** Heads of columns whose cells are not added up. */
export const NOT_ADDED = word(
  String.raw`unit price|price per|price|rate|einzelpreis|stückpreis|e-?preis|preis|satz|steuersatz|prix(?: unitaire)?|p\.u\.|taux|precio(?: unitario)?|tasa|prezzo(?: unitario)?|average|avg|mean|durchschnitt|moyenne|promedio|balance|saldo|solde|year|jahr|année|año|date|datum|fecha|no|nr|pos|item no|page|seite|id|code|%|percent(?:age)?|share|margin|ratio|anteil|marge|part`,
);
/** Heads of the first factor of a product. */
export const QUANTITY = word(
  'qty|quantity|hours|hrs|units|days|menge|anzahl|stunden|stück|tage|qté|quantité|heures|' +
    'cantidad|horas|unidades|quantità|ore|aantal',
);
/** Heads of the second factor of a product. */
export const PRICE = word(
  String.raw`unit price|price|rate|cost|einzelpreis|stückpreis|e-?preis|preis|satz|stundensatz|prix(?: unitaire)?|p\.u\.|precio(?: unitario)?|prezzo(?: unitario)?|prijs|tarif`,
);
/** Heads of what a product comes to. */
export const AMOUNT = word(
  'amount|total|line total|net amount|betrag|gesamt|gesamtpreis|summe|montant|importe|total ht|importo|totale|bedrag',
);
/** Heads of columns that change what a row comes to. */
export const CHANGED = word(
  'discount|rabatt|remise|descuento|sconto|tax|vat|mwst|ust|tva|iva|fee|surcharge|factor|faktor',
);
/** Labels of amounts of which a document has one. */
export const ONCE = word(
  String.raw`grand total|invoice total|total amount(?: due| payable)?|total due|amount (?:due|payable)|balance due|total price|contract (?:price|sum|value)|purchase price|rechnungsbetrag|zahlbetrag|gesamtbetrag|gesamtsumme|endbetrag|kaufpreis|auftragssumme|total à payer|montant total|montant dû|net à payer|prix total|prix d'achat|total a pagar|importe total|precio total|totale da pagare|importo totale|prezzo totale`,
);
