import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readInvoice, writeInvoice, type WriteTarget } from '../../document/invoices/syntaxes/index.js';
import { gaveUp, isFatal } from './compare.js';
import { type CorpusInvoice, enSet, facturXProfiles, facturXSet, xrechnungSet } from './corpus.js';
import { excuseFor } from './excuses.js';
import { facturXFaults } from './factur-x.js';
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
 * Converts what the artefacts accept to the other syntax and to all profiles, and lists what they then reject, but for
 * rules whose breach is shown to come from the source (`excuses.ts`).
 */
export async function rejectedConversions(
  invoices: readonly CorpusInvoice[],
  phive: Phive,
  scratch: string,
): Promise<{
  readonly written: number;
  readonly rejected: readonly Rejected[];
  readonly excused: ReadonlyMap<string, number>;
}> {
  const rejected: Rejected[] = [];
  const excused = new Map<string, number>();
  let written = 0;
  for (const source of invoices.filter(({ isFragment }) => !isFragment)) {
    const { invoice } = readInvoice(readFileSync(source.path));
    for (const { target, requires, set } of conversionsOf(source, invoice.typeCode ?? '')) {
      const before = (await phive.judge(requires, source.path)).faults;
      if (before.some(isFatal) || gaveUp(before)) continue;
      const path = join(scratch, `converted-${written}-${target.syntax}-${target.profile}.xml`);
      const { xml, lost } = writeInvoice(invoice, target);
      writeFileSync(path, xml);
      written += 1;
      const faults = facturXFaults((await phive.judge(set, path)).faults).filter((fault) => {
        if (!isFatal(fault)) return false;
        const excuse =
          fault.rule === null ? undefined : excuseFor(fault.rule, { source: source.path, path, target, lost });
        if (excuse === undefined) return true;
        const name = `${fault.rule}: ${excuse}`;
        excused.set(name, (excused.get(name) ?? 0) + 1);
        return false;
      });
      if (faults.length > 0) rejected.push({ name: `${path} of ${source.name}`, set, faults: faults.map(textOf) });
    }
  }
  return { written, rejected, excused };
}

function textOf({ rule, place, message }: PhiveFault): string {
  return `${rule ?? ''} ${message.replaceAll(/\s+/g, ' ').slice(0, 160)} (${place ?? ''})`;
}
