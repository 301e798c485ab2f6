import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { profileOf, type ProfileId } from '../../document/invoices/profiles/index.js';
import {
  InvoiceXmlError,
  parseInvoiceXml,
  readInvoiceElement,
  type Syntax,
} from '../../document/invoices/syntaxes/index.js';
import { findInvoiceXml } from '../../document/structure/invoices/reading/index.js';
import { parseCsv } from '../corpus/corpus-files.js';
import { readTree, writeTree } from './xml-tree.js';

/** An invoice in XML, as the validators get it. */
export interface CorpusInvoice {
  /** The path in the corpus; with `#n` the case n of a set of unit tests, with `#name` the XML of a PDF. */
  readonly name: string;
  readonly path: string;
  readonly syntax: Exclude<Syntax, 'zugferd1'>;
  /** BT-24 */
  readonly specification: string;
  readonly isFragment: boolean;
}

const EN_SETS: Readonly<Record<CorpusInvoice['syntax'], string>> = {
  cii: 'eu.cen.en16931:cii:1.3.16',
  'ubl-invoice': 'eu.cen.en16931:ubl:1.3.16',
  'ubl-creditnote': 'eu.cen.en16931:ubl-creditnote:1.3.16',
};

export const enSet = (syntax: CorpusInvoice['syntax']): string => EN_SETS[syntax];

export const isXrechnung = ({ specification }: CorpusInvoice): boolean => specification.includes('xrechnung_3.0');

/** The rules of XRechnung with those of EN 16931; undefined for an invoice that is no XRechnung 3.0. */
export function xrechnungSet(invoice: CorpusInvoice): string | undefined {
  if (!isXrechnung(invoice)) return undefined;
  const { syntax, specification } = invoice;
  const profile = profileOf(specification);
  if (profile?.id === 'xrechnung-extension' && syntax !== 'ubl-creditnote')
    return `de.xrechnung.extension:${syntax}:3.0.2`;
  return profile?.id === 'xrechnung' ? `de.xrechnung:${syntax}:3.0.2` : undefined;
}

const FACTUR_X: Readonly<Partial<Record<ProfileId, string>>> = {
  minimum: 'fr.factur-x:minimum:1.0.8',
  'basic-wl': 'fr.factur-x:basicwl:1.0.8',
  basic: 'fr.factur-x:basic:1.0.8',
  en16931: 'fr.factur-x:en16931:1.0.8',
  extended: 'fr.factur-x:extended:1.0.8',
};

/** The profiles that have rules of Factur-X. */
export const facturXProfiles = Object.keys(FACTUR_X) as readonly ProfileId[];

/** The set of rules for a Factur-X profile. */
export const facturXSet = (profile: ProfileId | undefined): string | undefined =>
  profile === undefined ? undefined : FACTUR_X[profile];

/** The invoices of Factur-X in the corpus: those in PDFs, whose XML is written to `scratch`, and in XML files. */
export async function facturXInvoices(
  folder: string,
  scratch: string,
  xml: readonly CorpusInvoice[],
): Promise<CorpusInvoice[]> {
  const manifest = parseCsv(readFileSync(join(folder, 'manifest.csv'), 'utf8'));
  const embedded: CorpusInvoice[] = [];
  for (const { file = '', kind } of manifest) {
    if (kind !== 'pdf-hybrid') continue;
    const bytes = await findInvoiceXml(join(folder, file), 'pdf').then(
      (found) => found.bytes,
      () => undefined,
    );
    if (bytes === undefined) continue;
    const path = join(scratch, `${file.replaceAll('/', '_')}.xml`);
    writeFileSync(path, bytes);
    const invoice = invoiceOf(`${file}#xml`, path, bytes, false);
    if (invoice !== undefined) embedded.push(invoice);
  }
  return [...xml.filter(({ isFragment }) => !isFragment), ...embedded].filter(
    ({ syntax, specification }) => syntax === 'cii' && facturXSet(profileOf(specification)?.id) !== undefined,
  );
}

/** All XML invoices of the corpus that are CII or UBL; the cases of unit tests are written to `scratch`. */
export function corpusInvoices(folder: string, scratch: string): CorpusInvoice[] {
  const manifest = parseCsv(readFileSync(join(folder, 'manifest.csv'), 'utf8'));
  return manifest
    .map((row) => row['file'] ?? '')
    .filter((file) => file.endsWith('.xml') && existsSync(join(folder, file)))
    .flatMap((file) => invoicesOf(file, join(folder, file), scratch));
}

function invoicesOf(file: string, path: string, scratch: string): CorpusInvoice[] {
  const bytes = readFileSync(path);
  if (!bytes.includes('testSet')) {
    const invoice = invoiceOf(file, path, bytes, false);
    return invoice === undefined ? [] : [invoice];
  }
  const cases = parseInvoiceXml(bytes).children.filter(({ name }) => name === 'test');
  return cases.flatMap((test, index) => {
    const document = test.children.find(({ name }) => name !== 'assert');
    if (document === undefined) return [];
    const written = join(scratch, `${file.replaceAll('/', '_')}.${index}.xml`);
    mkdirSync(scratch, { recursive: true });
    writeFileSync(written, writeTree(readTree(document)));
    const invoice = invoiceOf(`${file}#${index}`, written, readFileSync(written), true);
    return invoice === undefined ? [] : [invoice];
  });
}

function invoiceOf(name: string, path: string, bytes: Uint8Array, isFragment: boolean): CorpusInvoice | undefined {
  try {
    const { syntax, invoice } = readInvoiceElement(parseInvoiceXml(bytes));
    if (syntax === 'zugferd1') return undefined;
    return { name, path, syntax, specification: invoice.process?.specification ?? '', isFragment };
  } catch (error) {
    if (error instanceof InvoiceXmlError) return undefined;
    throw error;
  }
}
