/** Invoices of ../shared/einvoice and what their suites say of them. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseInvoiceXml, type XmlElement } from '../../document/invoices/syntaxes/index.js';
import { parseCsv } from '../corpus/corpus-files.js';

export const SUITES = new URL('../../../shared/einvoice/', import.meta.url);

export const hasSuites = (): boolean => existsSync(fileURLToPath(new URL('manifest.csv', SUITES)));

export interface SuiteFile {
  readonly file: string;
  readonly kind: string;
  readonly profile: string;
  readonly expected: 'valid' | 'invalid' | 'rule-level' | 'unknown';
  /** `+BR-53` passes, `-BR-53` fails. */
  readonly expectedRules: readonly string[];
  readonly note: string;
}

export async function readManifest(): Promise<SuiteFile[]> {
  const rows = parseCsv(await readFile(new URL('manifest.csv', SUITES), 'utf8'));
  return rows.map((row) => {
    const cell = (name: string): string => row[name] ?? '';
    return {
      file: cell('file'),
      kind: cell('kind'),
      profile: cell('profile'),
      expected: cell('expected') as SuiteFile['expected'],
      expectedRules: cell('expected_rules').split(' ').filter(Boolean),
      note: cell('note'),
    };
  });
}

export const bytesOf = (file: string): Promise<Buffer> => readFile(new URL(encodeURI(file), SUITES));

/** One test of a unit test set: a fragment, and a rule that accepts or reports it. */
export interface UnitTest {
  readonly rule: string;
  readonly outcome: 'success' | 'error' | 'warning';
  readonly xml: Buffer;
  /** `#3`: the third test of the file. */
  readonly name: string;
}

const ROOTS = new Set(['Invoice', 'CreditNote', 'CrossIndustryInvoice']);

/** The tests of a set in the format of the VEFA validator. */
export function unitTests(bytes: Uint8Array): UnitTest[] {
  const tests = parseInvoiceXml(bytes).children.filter(({ name }) => name === 'test');
  return tests.flatMap((test, index) => {
    const invoice = test.children.find(({ name }) => ROOTS.has(name));
    const asserts = test.children.filter(({ name }) => name === 'assert').flatMap(({ children }) => children);
    if (invoice === undefined) return [];
    const xml = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${serialise(invoice, '')}`);
    return asserts.flatMap(({ name, text }) =>
      name === 'success' || name === 'error' || name === 'warning'
        ? [{ rule: text, outcome: name, xml, name: `#${index + 1}` }]
        : [],
    );
  });
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll('>', '&gt;');

function serialise(element: XmlElement, inherited: string): string {
  const attributes = [...element.attributes].map(([name, value]) => ` ${name}="${escape(value)}"`).join('');
  const namespace = element.namespace === inherited ? '' : ` xmlns="${escape(element.namespace)}"`;
  const children = element.children.map((child) => serialise(child, element.namespace)).join('');
  return `<${element.name}${namespace}${attributes}>${escape(element.text)}${children}</${element.name}>`;
}
