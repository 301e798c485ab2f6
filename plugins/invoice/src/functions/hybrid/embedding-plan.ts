import { type Profile, profileOf, profiles } from '@quire/document/invoices/profiles';
import type { Syntax } from '@quire/document/invoices/recognition';
import { readInvoiceXml } from '@quire/document/structure/invoices/reading';
import { InputError } from '@quire/registry/errors';
import { type EmbeddedProfile, embeddedProfiles, type InvoiceRelationship } from './choices.js';

/** What callers ask for; absent members follow from the XML. */
export interface AskedEmbedding {
  readonly profile?: EmbeddedProfile;
  readonly relationship?: InvoiceRelationship;
}

/** How an XML is embedded. */
export interface EmbeddingPlan {
  readonly profile: Profile;
  readonly relationship: InvoiceRelationship;
  /** Name of the attachment. */
  readonly fileName: string;
  /** `ConformanceLevel` and `Version` of the XMP. */
  readonly level: string;
  readonly version: string;
}

const FIELD = 'invoice';

/**
 * Reads an XML and decides how it is embedded: the profile that it names decides. Throws INVOICE_UNREADABLE for what is
 * not an invoice, INVOICE_NOT_EMBEDDABLE for one that has no place in a PDF, INPUT_INVALID where the call asks for
 * another profile than that of the XML, or a relationship that the profile does not allow.
 */
export function planEmbedding(bytes: Uint8Array, asked: AskedEmbedding = {}): EmbeddingPlan {
  const { syntax, invoice } = readInvoiceXml(bytes, FIELD);
  const specification = invoice.process?.specification?.trim() ?? '';
  const refuse = (detail: string): InputError =>
    new InputError('INVOICE_NOT_EMBEDDABLE', { field: FIELD, detail }, [{ pointer: `/${FIELD}`, detail }]);
  if (syntax !== 'cii') throw refuse(wrongSyntax[syntax]);
  const profile = profileOf(specification);
  const { attachment, xmpLevel } = profile ?? {};
  if (profile === undefined || attachment === undefined || xmpLevel === undefined)
    throw refuse(
      `its specification identifier (BT-24) is ${specification === '' ? 'missing' : `"${specification.slice(0, 200)}"`}, ` +
        `which is not a profile for PDFs; use one of ${known()}`,
    );
  if (asked.profile !== undefined && asked.profile !== profile.id)
    throw invalid(
      'profile',
      `is "${asked.profile}", but the XML is "${profile.id}" (${profile.title}) by its specification identifier ` +
        '(BT-24). Leave the field out, or change the XML',
    );
  return {
    profile,
    relationship: relationshipOf(profile, asked.relationship),
    fileName: attachment,
    level: xmpLevel,
    version: /xrechnung_(\d+\.\d+)/.exec(specification)?.[1] ?? '1.0',
  };
}

/** Why an invoice in another syntax is refused, and what to do. */
const wrongSyntax: Readonly<Record<Exclude<Syntax, 'cii'>, string>> = {
  'ubl-invoice': 'it is a UBL invoice, and PDFs carry CII; convert it with /api/v1/invoice/convert first',
  'ubl-creditnote': 'it is a UBL credit note, and PDFs carry CII; convert it with /api/v1/invoice/convert first',
  zugferd1: 'it is ZUGFeRD 1, which is obsolete; convert it to CII with /api/v1/invoice/convert first',
};

/** `Data` says that the XML does not have the whole invoice, which holds for the two profiles without lines. */
function relationshipOf({ id, title }: Profile, asked: InvoiceRelationship | undefined): InvoiceRelationship {
  const withoutLines = id === 'minimum' || id === 'basic-wl';
  if (withoutLines && asked !== undefined && asked !== 'Data')
    throw invalid('relationship', `is "${asked}", but ${title} has to be embedded as "Data"`);
  return asked ?? (withoutLines ? 'Data' : 'Alternative');
}

function invalid(field: string, problem: string): InputError {
  const detail = `"${field}" ${problem}`;
  return new InputError('INPUT_INVALID', { detail }, [{ pointer: `/${field}`, detail }]);
}

function known(): string {
  return profiles
    .filter(({ id }) => (embeddedProfiles as readonly string[]).includes(id))
    .map(({ title, specification }) => `${title} (${specification})`)
    .join(', ');
}
