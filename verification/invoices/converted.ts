import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readInvoice, writeInvoice, type WriteTarget } from '../../document/invoices/syntaxes/index.js';
import { gaveUp, isFatal } from './compare.js';
import { type CorpusInvoice, enSet, facturXProfiles, facturXSet, xrechnungSet } from './corpus.js';
import type { Phive, PhiveFault } from './validators.js';

/** A document that we wrote and a validator rejects. */
export interface Rejected {
  readonly name: string;
  readonly set: string;
  readonly faults: readonly string[];
}

interface Conversion {
  readonly target: Required<WriteTarget>;
  /** What the source must satisfy, since a conversion repairs nothing. */
  readonly requires: string;
  readonly set: string;
}

function conversionsOf(source: CorpusInvoice, typeCode: string): Conversion[] {
  const requires = enSet(source.syntax);
  const ubl = /^(81|83|261|262|296|308|381|396|420|458|532)$/.test(typeCode) ? 'ubl-creditnote' : 'ubl-invoice';
  const conversions: Conversion[] = [
    { target: { syntax: 'ubl', profile: 'en16931' }, requires, set: enSet(ubl) },
    { target: { syntax: 'cii', profile: 'en16931' }, requires, set: enSet('cii') },
    ...facturXProfiles.flatMap((profile): Conversion[] => {
      const set = facturXSet(profile);
      return set === undefined ? [] : [{ target: { syntax: 'cii', profile }, requires, set }];
    }),
  ];
  const xrechnung = xrechnungSet(source);
  if (xrechnung?.startsWith('de.xrechnung:') === true)
    conversions.push(
      { target: { syntax: 'ubl', profile: 'xrechnung' }, requires: xrechnung, set: `de.xrechnung:${ubl}:3.0.2` },
      { target: { syntax: 'cii', profile: 'xrechnung' }, requires: xrechnung, set: 'de.xrechnung:cii:3.0.2' },
    );
  return conversions;
}

/**
 * Demands on the content that a profile adds and the source need not meet, or that what the profile has no place for
 * would have met: a conversion invents nothing.
 */
const DEMANDS_OF_PROFILES: readonly RegExp[] = [
  // A delivery date or a period.
  /BR-FX-EN-04/,
  // A due date or payment terms, which a credit note in UBL need not have.
  /BR-CO-25/,
  // The rounding amount (BT-114) or the seller's identifier (BT-29), which the smaller profiles do not hold.
  /BR-CO-16|BR-CO-26/,
  // Lists of codes and sums of Factur-X 1.0.8 that are narrower than those of EN 16931.
  /Value of 'ram:ExemptionReasonCode' is not allowed|BR-FXEXT-/,
  // Two VAT totals in one currency, which CII and UBL tell apart in different ways.
  /BR-53|BR-CO-15/,
];

/** Converts what the artefacts accept to the other syntax and to all profiles, and lists what they then reject. */
export async function rejectedConversions(
  invoices: readonly CorpusInvoice[],
  phive: Phive,
  scratch: string,
): Promise<{ readonly written: number; readonly rejected: readonly Rejected[] }> {
  const rejected: Rejected[] = [];
  let written = 0;
  for (const source of invoices.filter(({ isFragment }) => !isFragment)) {
    const { invoice } = readInvoice(readFileSync(source.path));
    for (const { target, requires, set } of conversionsOf(source, invoice.typeCode ?? '')) {
      const before = (await phive.judge(requires, source.path)).faults;
      if (before.some(isFatal) || gaveUp(before)) continue;
      const path = join(scratch, `converted-${written}-${target.syntax}-${target.profile}.xml`);
      writeFileSync(path, writeInvoice(invoice, target).xml);
      written += 1;
      const faults = (await phive.judge(set, path)).faults.filter(
        (fault) => isFatal(fault) && !DEMANDS_OF_PROFILES.some((demand) => demand.test(fault.message)),
      );
      if (faults.length > 0) rejected.push({ name: `${path} of ${source.name}`, set, faults: faults.map(textOf) });
    }
  }
  return { written, rejected };
}

function textOf({ rule, place, message }: PhiveFault): string {
  return `${rule ?? ''} ${message.replaceAll(/\s+/g, ' ').slice(0, 160)} (${place ?? ''})`;
}
