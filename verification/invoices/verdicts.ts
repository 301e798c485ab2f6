/** Compares our verdicts with those of the suites in ../shared/einvoice. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { checkRules } from '../../document/invoices/rules/index.js';
import { isReadable, readInvoice, recogniseRoot } from '../../document/invoices/syntaxes/index.js';
import { validateInvoice, validateInvoiceFile } from '../../plugins/invoice/src/functions/validate.js';
import { bytesOf, readManifest, type SuiteFile, SUITES, unitTests } from './suites.js';

/** One rule in one case: what the suite expects, and what we report. */
export interface RuleCase {
  readonly rule: string;
  /** The file, with the number of the test in a set. */
  readonly name: string;
  readonly expected: 'passes' | 'fails';
  readonly agrees: boolean;
}

/** The verdict on a whole file. */
export interface FileCase {
  readonly file: string;
  readonly kind: string;
  readonly expected: 'valid' | 'invalid' | 'refused';
  readonly found: 'valid' | 'invalid' | 'refused';
  /** The first fatal rules. */
  readonly because: readonly string[];
}

export interface Verdicts {
  readonly rules: readonly RuleCase[];
  readonly files: readonly FileCase[];
  /** Files of which the suite says nothing: read, not judged. */
  readonly unknown: readonly string[];
}

/** Whether veraPDF finds a PDF to be what it claims; undefined where it is not installed. */
export type PdfAVerdicts = ReadonlyMap<string, boolean> | undefined;

/** Files that are refused because they are no invoices of EN 16931. */
const FOREIGN = new Set(['fatturapa', 'other-xml']);
/** Four files of KoSIT carry this in the place of the identifier. */
const PLACEHOLDER = '@xrechnung.spec.id@';
const XRECHNUNG = 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0';

export async function judgeSuites(pdfa?: PdfAVerdicts): Promise<Verdicts> {
  const rules: RuleCase[] = [];
  const files: FileCase[] = [];
  const unknown: string[] = [];
  for (const entry of await readManifest()) {
    if (entry.kind === 'unit-test-set') rules.push(...(await judgeUnitTests(entry)));
    else {
      const answer = await judgeFile(entry, pdfa);
      rules.push(...rulesOf(entry, answer.rules));
      if (answer.file === undefined) unknown.push(entry.file);
      else files.push(answer.file);
    }
  }
  return { rules, files, unknown };
}

async function judgeUnitTests({ file }: SuiteFile): Promise<RuleCase[]> {
  return unitTests(await bytesOf(file)).map(({ rule, outcome, xml, name }) => {
    const [found] = checkRules(readInvoice(xml), { only: new Set([rule]) }).filter((each) => each.rule === rule);
    const reported = found === undefined ? 'success' : found.severity === 'fatal' ? 'error' : 'warning';
    const expected = outcome === 'success' ? 'passes' : 'fails';
    return { rule, name: `${file} ${name}`, expected, agrees: reported === outcome };
  });
}

interface Judged {
  readonly rules: ReadonlySet<string>;
  readonly file: FileCase | undefined;
}

async function judgeFile(entry: SuiteFile, pdfa: PdfAVerdicts): Promise<Judged> {
  const { file, kind } = entry;
  const report = await validate(entry, pdfa);
  const fatal = (report?.violations ?? []).filter(({ severity }) => severity === 'fatal').map(({ rule }) => rule);
  const rules = new Set((report?.violations ?? []).map(({ rule }) => rule));
  const found = report === undefined ? 'refused' : report.valid ? 'valid' : 'invalid';
  const expected = FOREIGN.has(kind) ? 'refused' : entry.expected;
  if (expected === 'unknown' || expected === 'rule-level') return { rules, file: undefined };
  return { rules, file: { file, kind, expected, found, because: [...new Set(fatal)].slice(0, 4) } };
}

/** The report; undefined for a file that is refused. */
async function validate({ file, kind }: SuiteFile, pdfa: PdfAVerdicts) {
  if (kind === 'pdf-hybrid') {
    const path = pathOf(file);
    const compliant = pdfa?.get(path);
    const answer = {
      checks: ['3b', '3u', '3a'].map((standard) => ({ standard, compliant: compliant === true, failures: [] })),
    };
    const options = compliant === undefined ? {} : { validatePdfA: () => Promise.resolve(answer) };
    try {
      return (await validateInvoiceFile(path, 'pdf', options)).report;
    } catch (error) {
      if (!['INVOICE_NONE', 'INVOICE_UNREADABLE'].includes((error as { code?: string }).code ?? '')) throw error;
      return undefined;
    }
  }
  const bytes = Buffer.from((await bytesOf(file)).toString('latin1').replace(PLACEHOLDER, XRECHNUNG), 'latin1');
  return isReadable(recogniseRoot(bytes).kind) ? (await validateInvoice(bytes)).report : undefined;
}

function rulesOf({ file, expectedRules }: SuiteFile, reported: ReadonlySet<string>): RuleCase[] {
  return expectedRules.map((expectation) => {
    const rule = expectation.slice(1);
    const expected = expectation.startsWith('+') ? 'passes' : 'fails';
    return { rule, name: file, expected, agrees: reported.has(rule) === (expected === 'fails') };
  });
}

export const pathOf = (file: string): string => fileURLToPath(new URL(encodeURI(file), SUITES));

/** What veraPDF says of PDFs, in one run. */
export function verifyPdfA(paths: readonly string[]): PdfAVerdicts {
  const { stdout, error } = spawnSync('verapdf', ['--format', 'text', '-f', '0', ...paths], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  });
  if (error !== undefined) return undefined;
  const lines = stdout.split('\n').map((line) => /^(PASS|FAIL) (.*) \S+$/.exec(line.trim()));
  return new Map(lines.flatMap((match) => (match === null ? [] : [[match[2] ?? '', match[1] === 'PASS'] as const])));
}
