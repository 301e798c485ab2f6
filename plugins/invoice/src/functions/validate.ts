import type { Syntax } from '@quire/document/invoices/recognition';
import { type Profile, type ProfileId, profileById } from '@quire/document/invoices/profiles';
import { checkRules, type Severity, type Violation } from '@quire/document/invoices/rules';
import { InvoiceXmlError, readInvoice, type ReadInvoice } from '@quire/document/invoices/syntaxes';
import type { StandardsAnswer } from '@quire/document/standards/pdfa';
import { findInvoiceXml } from '@quire/document/structure/invoices/reading';
import { type HybridInput, hybridViolations } from './hybrid/hybrid-violations.js';
import type { Standard } from './choices.js';
import { type Identity, identifyXml } from './hybrid/identify.js';
import { checkSchema } from './schema.js';

/** The answer of `invoice/validate`. */
export interface ValidationReport {
  /** False exactly when a fatal rule fails. */
  readonly valid: boolean;
  readonly standard: Standard | null;
  /** Version of the standard, where its identifier names one. */
  readonly version: string | null;
  /** The profile whose rules were applied; null: it is not known, and those of EN 16931 were. */
  readonly profile: ProfileId | null;
  readonly profileTitle: string | null;
  /** BT-24 as it is written. */
  readonly specification: string | null;
  readonly syntax: Syntax;
  /** Name of the embedded file; null for XML files. */
  readonly attachment: string | null;
  readonly counts: Readonly<Record<Severity, number>>;
  readonly violations: readonly Violation[];
}

export interface ValidateOptions {
  /** Apply the rules of this profile, whatever the invoice claims. */
  readonly profile?: ProfileId;
  /** Apply the rules that were in force on this day, `YYYY-MM-DD`. */
  readonly day?: string;
  /** XML of the profile EN 16931 will be in a PDF, as Factur-X; what is in a PDF is checked so anyway. */
  readonly isFacturX?: boolean;
  /** Checks PDF/A, where a validator is installed; called for PDFs that claim to be PDF/A-3. */
  readonly validatePdfA?: (path: string) => Promise<StandardsAnswer>;
  /** The PDF is the decrypted copy of an encrypted one, which is never PDF/A. */
  readonly encrypted?: boolean;
}

export interface ValidatedInvoice {
  readonly report: ValidationReport;
  /** Undefined for XML that cannot be read. */
  readonly read: ReadInvoice | undefined;
}

/**
 * Checks the invoice in a file: XML, schema, rules, and for PDFs what the PDF says about it. Throws the errors of
 * `findInvoiceXml` for files without an invoice; XML with faults is reported as a violation (`XML`).
 */
export async function validateInvoiceFile(
  path: string,
  kind: string,
  options: ValidateOptions = {},
): Promise<ValidatedInvoice> {
  const { bytes, hybrid } = await findInvoiceXml(path, kind);
  const around = hybrid === undefined ? undefined : { path, hybrid, ...pdfACheck(options) };
  return validateInvoice(bytes, options, around);
}

const ENCRYPTED = { compliant: false, broken: ['encryption is forbidden (ISO 19005-3, 6.1.3)'] };

function pdfACheck({ validatePdfA, encrypted }: ValidateOptions): Pick<HybridInput, 'check'> {
  if (encrypted === true) return { check: () => Promise.resolve(ENCRYPTED) };
  if (validatePdfA === undefined) return {};
  return {
    check: async (path) => {
      const { checkWith } = await import('@quire/document/standards/pdfa');
      return checkWith(validatePdfA, path, { part: 3, level: 'B' });
    },
  };
}

/** The same for bytes; `around`: the PDF that carries them. The bytes must be those of an invoice by their root. */
export async function validateInvoice(
  xml: Uint8Array,
  options: ValidateOptions = {},
  around?: Omit<HybridInput, 'read'>,
): Promise<ValidatedInvoice> {
  const attachment = around?.hybrid.invoices[0]?.filename;
  const identity = identifyXml(xml, attachment);
  const chosen = options.profile === undefined ? undefined : profileById(options.profile);
  const isFacturX = options.isFacturX === true || around !== undefined;
  const { read, violations } = await checkXml(xml, chosen ?? identity.profile, { ...options, isFacturX });
  const ofPdf =
    around === undefined ? [] : await hybridViolations({ ...around, ...(read === undefined ? {} : { read }) });
  const all = [...violations, ...ofPdf];
  const syntax = read?.syntax ?? identity.syntax ?? 'cii';
  return { report: report(all, { identity, profile: chosen ?? identity.profile, syntax, attachment }), read };
}

interface CheckedXml {
  readonly read: ReadInvoice | undefined;
  readonly violations: readonly Violation[];
}

async function checkXml(
  xml: Uint8Array,
  profile: Profile | undefined,
  { day, isFacturX = false }: ValidateOptions,
): Promise<CheckedXml> {
  let read: ReadInvoice;
  try {
    read = readInvoice(xml);
  } catch (error) {
    if (!(error instanceof InvoiceXmlError)) throw error;
    return { read: undefined, violations: [unreadable(error)] };
  }
  const schema =
    read.syntax === 'zugferd1'
      ? []
      : await checkSchema(xml, read.syntax, isFacturX || profile?.standard === 'factur-x');
  const rules = checkRules(read, {
    ...(profile === undefined ? {} : { profile }),
    ...(day === undefined ? {} : { day }),
    isFacturX,
  });
  return { read, violations: [...schema, ...rules] };
}

function unreadable({ reason, line }: InvoiceXmlError): Violation {
  const where = line === undefined ? { en: '', de: '' } : { en: ` (line ${line})`, de: ` (Zeile ${line})` };
  return {
    rule: 'XML',
    severity: 'fatal',
    terms: [],
    location: line === undefined ? undefined : { xpath: '/', line },
    value: undefined,
    message: {
      en: `The XML cannot be read${where.en}: ${reason}`,
      de: `Das XML ist nicht lesbar${where.de}: ${reason}`,
    },
  };
}

interface ReportFacts {
  readonly identity: Identity;
  readonly profile: Profile | undefined;
  readonly syntax: Syntax;
  readonly attachment: string | undefined;
}

const ORDER: Readonly<Record<Severity, number>> = { fatal: 0, warning: 1, information: 2 };

function report(violations: readonly Violation[], facts: ReportFacts): ValidationReport {
  const { identity, profile, syntax, attachment } = facts;
  const counts = { fatal: 0, warning: 0, information: 0 };
  for (const { severity } of violations) counts[severity] += 1;
  return {
    valid: counts.fatal === 0,
    standard: identity.standard ?? null,
    version: identity.version ?? null,
    profile: profile?.id ?? null,
    profileTitle: profile?.title ?? null,
    specification: identity.specification === '' ? null : identity.specification,
    syntax,
    attachment: attachment ?? null,
    counts,
    violations: violations.toSorted((one, other) => ORDER[one.severity] - ORDER[other.severity]),
  };
}
