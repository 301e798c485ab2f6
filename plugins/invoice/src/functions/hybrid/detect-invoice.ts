import { readFile } from 'node:fs/promises';
import { InvoiceXmlError, readInvoice } from '@quire/document/invoices/syntaxes';
import {
  type AttachmentPlace,
  findInvoicesIn,
  type HybridFacts,
  type InvoiceClaim,
} from '@quire/document/structure/invoices';
import { type HybridCheck, hybridChecks } from './hybrid-checks.js';
import { type Identity, identifyXml, type Standard } from './identify.js';

/** How a PDF carries a file. */
export interface DetectedAttachment {
  readonly name: string;
  readonly relationship: string | null;
  readonly mediaType: string | null;
  /** Bytes; null if the file does not state it. */
  readonly size: number | null;
  readonly modified: string | null;
  readonly inNameTree: boolean;
  readonly associated: boolean;
}

/** An invoice in a file. */
export interface DetectedInvoice {
  readonly standard: Standard | null;
  readonly version: string | null;
  readonly profile: string | null;
  readonly profileTitle: string | null;
  readonly specification: string | null;
  readonly syntax: string | null;
  /** Why it cannot be read; null if it can. */
  readonly problem: string | null;
  /** Null for an XML file. */
  readonly attachment: DetectedAttachment | null;
}

export interface Detected extends DetectedInvoice {
  readonly found: boolean;
  /** All invoices of a PDF with several; the first is the one that counts. */
  readonly invoices: readonly DetectedInvoice[];
  readonly otherAttachments: readonly DetectedAttachment[];
  readonly xmp: readonly Omit<InvoiceClaim, 'by'>[];
  /** `3B`: what the PDF claims. */
  readonly pdfa: string | null;
  /** Whether the XML and the PDF say the same. Empty for XML files. */
  readonly agreement: readonly Agreement[];
  /** True if every check is. */
  readonly agrees: boolean;
}

export type Agreement = Pick<HybridCheck, 'check' | 'ok' | 'expected'> & {
  readonly found: string | null;
  readonly message: string | null;
};

const nothing: DetectedInvoice = {
  standard: null,
  version: null,
  profile: null,
  profileTitle: null,
  specification: null,
  syntax: null,
  problem: null,
  attachment: null,
};

/**
 * Says which invoice a PDF carries or an XML file is, and whether what a PDF says about it agrees with the XML. Throws
 * the errors of `findInvoicesIn`.
 */
export async function detectInvoice(path: string, kind: string): Promise<Detected> {
  if (kind === 'pdf') return inPdf(await findInvoicesIn({ path }));
  const bytes = await readFile(path);
  const identity = identifyXml(bytes);
  const invoice = described(identity, bytes, null, null);
  const empty = { otherAttachments: [], xmp: [], pdfa: null, agreement: [], agrees: true };
  return isFound(identity)
    ? { found: true, ...invoice, invoices: [invoice], ...empty }
    : { found: false, ...invoice, invoices: [], ...empty };
}

function inPdf(facts: HybridFacts): Detected {
  const identities = facts.invoices.map(({ bytes, filename }) => identifyXml(bytes, filename));
  const invoices = facts.invoices.map((invoice, i) =>
    described(identities[i] ?? identifyXml(invoice.bytes), invoice.bytes, placed(invoice), invoice.fault ?? null),
  );
  const [identity] = identities;
  const checks = identity === undefined ? [] : hybridChecks(facts, identity);
  return {
    found: facts.invoices.some(({ fault }, i) => fault === undefined && isFound(identities[i])),
    ...(invoices[0] ?? nothing),
    invoices,
    otherAttachments: facts.others.map(placed),
    xmp: facts.claims.map(({ by: _by, ...claim }) => claim),
    pdfa: facts.pdfa === undefined ? null : `${facts.pdfa.part}${facts.pdfa.conformance}`,
    agreement: checks.map(({ check, ok, found, expected, message }) => ({
      check,
      ok,
      found: found ?? null,
      expected,
      message: ok ? null : message.en,
    })),
    agrees: checks.every(({ ok }) => ok),
  };
}

/** Orders and invoices of other standards are named, but they are no invoices that this server handles. */
const isFound = (identity: Identity | undefined): boolean =>
  identity !== undefined && (identity.syntax !== undefined || identity.kind === 'zugferd1-draft');

const faults: Readonly<Record<string, string>> = {
  unreadable: 'The data of the attachment is damaged.',
  'too large': 'The attachment inflates beyond the limits of the server.',
};

function described(
  { standard, version, profile, specification, kind }: Identity,
  bytes: Uint8Array,
  attachment: DetectedAttachment | null,
  fault: string | null,
): DetectedInvoice {
  return {
    standard: standard ?? null,
    version: version ?? null,
    profile: profile?.id ?? null,
    profileTitle: profile?.title ?? null,
    specification: specification === '' ? null : specification,
    syntax: kind === 'not-xml' ? null : kind,
    problem: (fault === null ? undefined : faults[fault]) ?? problemOf(bytes),
    attachment,
  };
}

function problemOf(bytes: Uint8Array): string | null {
  try {
    readInvoice(bytes);
    return null;
  } catch (error) {
    if (error instanceof InvoiceXmlError) return error.message;
    throw error;
  }
}

function placed({
  filename,
  relationship,
  contentType,
  size,
  modificationDate,
  listed,
  associated,
}: AttachmentPlace): DetectedAttachment {
  return {
    name: filename,
    relationship: relationship ?? null,
    mediaType: contentType,
    size: size < 0 ? null : size,
    modified: modificationDate,
    inNameTree: listed,
    associated,
  };
}
