import type { Invoice } from '@quire/document/invoices/model';
import { type Profile, profileById, profileOf } from '@quire/document/invoices/profiles';
import type { Violation } from '@quire/document/invoices/rules';
import { type ReadInvoice, writeInvoice, type WrittenInvoice } from '@quire/document/invoices/syntaxes';
import { InputError } from '@quire/registry/errors';
import { validateInvoice } from '../validate.js';
import { type ChosenProfile, chosenProfiles } from '../choices.js';
import type { CreatedFormat } from './choices.js';
import { computeInvoice } from './compute-invoice.js';
import { Faults, pointerOf } from './faults.js';
import { JsonPlaces } from './json-places.js';
import { refuseMissing } from './missing-terms.js';
import { readInvoiceJson } from './read-json.js';

export interface CreateOptions {
  readonly format: CreatedFormat;
  /** Default: the one that the invoice names in BT-24, else EN 16931. */
  readonly profile?: ChosenProfile | undefined;
}

export interface CreatedXml {
  readonly xml: string;
  readonly profile: Profile;
  /** The invoice as it is read from the XML. */
  readonly read: ReadInvoice;
  /** Values that the profile or the syntax has no place for. */
  readonly lost: WrittenInvoice['lost'];
  /** Rules that are broken without making the invoice invalid. */
  readonly warnings: readonly Violation[];
}

/** The only business process of the specifications that demand one. */
const BILLING = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0';
/** Violations that an answer lists. */
const MOST = 50;

/**
 * Makes the XML of an invoice from JSON: computes what follows, refuses contradictions and missing terms
 * (INPUT_INVALID), writes it and checks the result: INVOICE_INVALID where it breaks a fatal rule of its profile.
 */
export async function createXml(json: Uint8Array, { format, profile: asked }: CreateOptions): Promise<CreatedXml> {
  const given = readInvoiceJson(json);
  const profile = profileFor(given, asked);
  refuseFormat(profile, format);
  const faults = new Faults();
  const invoice = computeInvoice(withProcess(given, profile), faults);
  // What is missing explains a sum that is wrong, so it comes first.
  refuseMissing(invoice, profile);
  faults.throwIfAny();
  const syntax = format === 'ubl' ? 'ubl' : 'cii';
  const { xml, lost } = writeInvoice(invoice, { syntax, profile: profile.id });
  const {
    read,
    report: { violations },
  } = await validateInvoice(Buffer.from(xml), { profile: profile.id, isFacturX: format === 'pdf' });
  const fatal = violations.filter(({ severity }) => severity === 'fatal');
  if (fatal.length > 0 || read === undefined) throw invalid(fatal, profile, read);
  return { xml, profile, read, lost, warnings: violations.filter(({ severity }) => severity === 'warning') };
}

function profileFor({ process }: Invoice, asked: ChosenProfile | undefined): Profile {
  const named = process?.specification;
  const found = profileOf(named);
  if (asked !== undefined) {
    const profile = profileById(asked);
    if (named === undefined || found?.id === asked) return profile;
    throw refuse(
      '/fileInput/process/specification',
      `Specification identifier (BT-24) is "${named}", but "profile" is "${asked}", which is "${profile.specification}". ` +
        'Leave one of them out.',
    );
  }
  if (named === undefined) return profileById('en16931');
  if (found === undefined || !chosenProfiles.some((id) => id === found.id))
    throw refuse(
      '/fileInput/process/specification',
      `Specification identifier (BT-24) is "${named}", which is not a profile that can be written. Leave it out and ` +
        `send "profile": ${chosenProfiles.join(', ')}.`,
    );
  return found;
}

/** Factur-X is CII only, and the profiles of authorities and networks are not for PDFs. */
function refuseFormat({ id, title, standard, attachment }: Profile, format: CreatedFormat): void {
  if (format === 'ubl' && standard === 'factur-x')
    throw refuse(
      '/format',
      `${title} ("${id}") exists in CII only. Send format=cii or format=pdf, or another profile.`,
    );
  if (format === 'pdf' && attachment === undefined)
    throw refuse('/format', `${title} ("${id}") is not embedded in PDFs. Send format=cii or format=ubl.`);
}

function withProcess(invoice: Invoice, { id, specification, standard }: Profile): Invoice {
  const demandsProcess = id === 'peppol' || standard === 'xrechnung';
  const businessProcess = invoice.process?.businessProcess ?? (demandsProcess ? BILLING : undefined);
  return {
    ...invoice,
    process: {
      ...(businessProcess === undefined ? {} : { businessProcess }),
      specification: invoice.process?.specification ?? specification,
    },
  };
}

function refuse(pointer: string, detail: string): InputError {
  return new InputError('INPUT_INVALID', { detail }, [{ pointer, detail }]);
}

function invalid(fatal: readonly Violation[], { title }: Profile, read: ReadInvoice | undefined): InputError {
  const places = read === undefined ? undefined : new JsonPlaces(read);
  const faults = fatal.slice(0, MOST).map((violation) => {
    const { rule, message, location } = violation;
    const place = location === undefined ? '' : ` at ${location.xpath}`;
    return { pointer: pointerOf(places?.pathOf(violation) ?? []), detail: `${rule}${place}: ${message.en}` };
  });
  const detail = (faults[0]?.detail ?? '').replace(/\.$/, '');
  return new InputError('INVOICE_INVALID', { field: 'fileInput', profile: title, count: fatal.length, detail }, faults);
}
