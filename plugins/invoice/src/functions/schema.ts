import { readdir, readFile } from 'node:fs/promises';
import type { Violation } from '@quire/document/invoices/rules';
import type { ErrorDetail, XsdValidator } from 'libxml2-wasm';
import { schemaSentence } from './schema-messages.js';

/** The syntaxes that have a schema here. ZUGFeRD 1 (CII D13B) has none: its schema is not published on its own. */
export type SchemaSyntax = 'cii' | 'ubl-invoice' | 'ubl-creditnote';

/** A file that is wrong in every line gives this many violations, and one that counts the rest. */
const MOST_VIOLATIONS = 100;

const SCHEMAS = new URL('../../schemas/', import.meta.url);

const ROOTS: Readonly<Record<SchemaSyntax, string>> = {
  cii: 'cii-d16b/CrossIndustryInvoice_100pD16B.xsd',
  'ubl-invoice': 'ubl-2.1/maindoc/UBL-Invoice-2.1.xsd',
  'ubl-creditnote': 'ubl-2.1/maindoc/UBL-CreditNote-2.1.xsd',
};

/** Elements that Factur-X has from CII D22B, and the second reference to an invoice. */
const OF_D22B =
  /^Element '\{[^}]*\}(?:InvoiceReferencedDocument|InvoiceSpecifiedReferencedDocument|IndustryAssignedID|ModelID|BatchID|ModelName)': This element is not expected/;

type Libxml2 = typeof import('libxml2-wasm');

/** Where the parser believes the schemas to be; nothing else can be opened. */
const SCHEME = 'schema:///';

let library: Promise<Libxml2> | undefined;
const validators = new Map<SchemaSyntax, Promise<XsdValidator>>();

/**
 * Compares the XML with its schema (CII D16B, UBL 2.1). The library and the compiled schemas are loaded on first use
 * and stay in the worker. Entities are never expanded, nothing is fetched and no DTD is read: the caller has refused
 * documents with a DTD before. `isFacturX`: what Factur-X 1.0.8 has from CII D22B is accepted; what follows it among
 * the same children is left to the rules of the profile.
 */
export async function checkSchema(xml: Uint8Array, syntax: SchemaSyntax, isFacturX = false): Promise<Violation[]> {
  const [{ ParseOption, XmlDocument, XmlValidateError }, validator] = await Promise.all([loadLibrary(), load(syntax)]);
  const { XML_PARSE_NONET, XML_PARSE_NO_XXE, XML_PARSE_BIG_LINES, XML_PARSE_COMPACT, XML_PARSE_HUGE } = ParseOption;
  const option = XML_PARSE_NONET | XML_PARSE_NO_XXE | XML_PARSE_BIG_LINES | XML_PARSE_COMPACT | XML_PARSE_HUGE;
  const document = XmlDocument.fromBuffer(xml, { option });
  try {
    if (document.dtd !== null) throw new TypeError('a document with a DTD has to be refused before');
    validator.validate(document);
    return [];
  } catch (error) {
    if (!(error instanceof XmlValidateError)) throw error;
    return violations(isFacturX ? error.details.filter(({ message }) => !OF_D22B.test(message)) : error.details);
  } finally {
    document.dispose();
  }
}

function violations(details: readonly ErrorDetail[]): Violation[] {
  const shown = details.slice(0, MOST_VIOLATIONS).map(violation);
  const rest = details.length - shown.length;
  if (rest === 0) return shown;
  const message = {
    en: `${rest} more places do not match the schema; the first ${MOST_VIOLATIONS} are listed.`,
    de: `${rest} weitere Stellen entsprechen nicht dem Schema; die ersten ${MOST_VIOLATIONS} sind aufgeführt.`,
  };
  return [...shown, { rule: 'XSD', severity: 'fatal', terms: [], location: undefined, value: undefined, message }];
}

function violation(detail: ErrorDetail): Violation {
  const { message, value } = schemaSentence(detail.message.trim());
  const location = { xpath: detail.xpath ?? '/*', line: detail.line };
  return { rule: 'XSD', severity: 'fatal', terms: [], location, value, message };
}

function load(syntax: SchemaSyntax): Promise<XsdValidator> {
  let validator = validators.get(syntax);
  if (validator === undefined) {
    validator = compile(syntax);
    validators.set(syntax, validator);
    validator.catch(() => validators.delete(syntax));
  }
  return validator;
}

async function compile(syntax: SchemaSyntax): Promise<XsdValidator> {
  const { XmlDocument, XsdValidator } = await loadLibrary();
  const root = ROOTS[syntax];
  const schema = XmlDocument.fromBuffer(await readFile(new URL(root, SCHEMAS)), { url: SCHEME + root });
  try {
    return XsdValidator.fromDoc(schema);
  } finally {
    schema.dispose();
  }
}

function loadLibrary(): Promise<Libxml2> {
  library ??= Promise.all([import('libxml2-wasm'), readSchemas()]).then(([libxml2, files]) => {
    libxml2.xmlRegisterInputProvider(memoryFiles(files));
    return libxml2;
  });
  return library;
}

/** All schema files by their path below `schemas/`. They import each other by relative path. */
async function readSchemas(): Promise<Map<string, Uint8Array>> {
  const names = (await readdir(SCHEMAS, { recursive: true })).filter((name) => name.endsWith('.xsd'));
  const files = await Promise.all(
    names.map(async (name): Promise<[string, Uint8Array]> => {
      const path = name.replaceAll('\\', '/');
      return [SCHEME + path, await readFile(new URL(path, SCHEMAS))];
    }),
  );
  return new Map(files);
}

/** Files that exist in memory only, as libxml2 wants to open and read them. */
function memoryFiles(files: ReadonlyMap<string, Uint8Array>) {
  const open = new Map<number, { bytes: Uint8Array; at: number }>();
  let next = 1;
  return {
    match: (name: string) => files.has(name),
    open: (name: string) => {
      const bytes = files.get(name);
      if (bytes === undefined) return undefined;
      open.set(next, { bytes, at: 0 });
      next += 1;
      return next - 1;
    },
    read: (handle: number, buffer: Uint8Array) => {
      const file = open.get(handle);
      if (file === undefined) return -1;
      const part = file.bytes.subarray(file.at, file.at + buffer.byteLength);
      buffer.set(part);
      file.at += part.byteLength;
      return part.byteLength;
    },
    close: (handle: number) => open.delete(handle),
  };
}
