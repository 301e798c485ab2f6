import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { profileOf } from '../../document/invoices/profiles/index.js';
import {
  InvoiceXmlError,
  parseInvoiceXml,
  readInvoiceElement,
  type Syntax,
} from '../../document/invoices/syntaxes/index.js';
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

/** The rules of XRechnung with those of EN 16931; undefined for an invoice that is no XRechnung 3.0. */
export function xrechnungSet({ syntax, specification }: CorpusInvoice): string | undefined {
  if (!specification.includes('xrechnung_3.0')) return undefined;
  const profile = profileOf(specification);
  if (profile?.id === 'xrechnung-extension' && syntax !== 'ubl-creditnote')
    return `de.xrechnung.extension:${syntax}:3.0.2`;
  return profile?.id === 'xrechnung' ? `de.xrechnung:${syntax}:3.0.2` : undefined;
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

function invoiceOf(name: string, path: string, bytes: Buffer, isFragment: boolean): CorpusInvoice | undefined {
  try {
    const { syntax, invoice } = readInvoiceElement(parseInvoiceXml(bytes));
    if (syntax === 'zugferd1') return undefined;
    return { name, path, syntax, specification: invoice.process?.specification ?? '', isFragment };
  } catch (error) {
    if (error instanceof InvoiceXmlError) return undefined;
    throw error;
  }
}
