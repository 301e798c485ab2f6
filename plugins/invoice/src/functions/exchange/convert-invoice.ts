import { profileById, type ProfileId } from '@quire/document/invoices/profiles';
import { type Lost, writeInvoice } from '@quire/document/invoices/syntaxes';
import type { InvoiceFile } from '@quire/document/structure/invoices/reading';
import type { ReadInvoice } from '@quire/document/invoices/syntaxes';
import { InputError } from '@quire/registry/errors';
import { identifyXml } from '../hybrid/identify.js';
import type { ChosenProfile } from '../choices.js';
import type { WrittenSyntax } from './choices.js';
import { listUnread, type UnreadValue } from './invoice-as-json.js';

export interface ConvertOptions {
  readonly target: WrittenSyntax;
  /** Absent: that of the invoice, or the one that takes its place. */
  readonly profile?: ChosenProfile;
  /** Refuse a conversion that loses something. */
  readonly strict: boolean;
}

export interface Converted {
  readonly xml: string;
  readonly syntax: WrittenSyntax;
  readonly profile: ProfileId | null;
  /** Terms that the target has no place for. */
  readonly lost: readonly Lost[];
  /** Content of the XML that the model of EN 16931 has no place for: it is lost too. */
  readonly unread: readonly UnreadValue[];
}

/** ZUGFeRD 2 and Factur-X have the profiles of ZUGFeRD 1 under new names. */
const successors: Readonly<Partial<Record<ProfileId, ChosenProfile>>> = {
  'zugferd1-basic': 'basic',
  'zugferd1-comfort': 'en16931',
  'zugferd1-extended': 'extended',
};

/**
 * Writes an invoice in another syntax or profile. Throws INPUT_INVALID for a profile that the syntax does not have, and
 * INVOICE_LOSSY if something is lost that must not be.
 */
export function convertInvoice(
  { bytes, hybrid, read }: InvoiceFile & { readonly read: ReadInvoice },
  { target, profile, strict }: ConvertOptions,
): Converted {
  if (profile !== undefined && !suits(profile, target)) throw wrongProfile(profile);
  const before = identifyXml(bytes, hybrid?.invoices[0]?.filename).profile?.id;
  const after = profile ?? (before === undefined ? undefined : profileFor(before, target));
  const { xml, lost } = writeInvoice(read.invoice, {
    syntax: target,
    ...(after === undefined ? {} : { profile: after }),
  });
  const unread = listUnread(read);
  if (strict && lost.length + unread.length > 0) throw lossy(lost, unread);
  return { xml, syntax: target, profile: after ?? null, lost, unread };
}

/** The profiles of Factur-X are subsets and supersets of CII. */
const suits = (profile: ProfileId, target: WrittenSyntax): boolean =>
  target === 'cii' || profileById(profile).standard !== 'factur-x';

function profileFor(before: ProfileId, target: WrittenSyntax): ProfileId {
  const profile = successors[before] ?? before;
  return suits(profile, target) ? profile : 'en16931';
}

function wrongProfile(profile: ChosenProfile): InputError {
  const detail =
    `"profile" is ${profile}, a profile of Factur-X, which only exists in CII; send target=cii, or one of ` +
    'en16931, xrechnung, xrechnung-extension, xrechnung-cvd and peppol';
  return new InputError('INPUT_INVALID', { detail }, [{ pointer: '/profile', detail }]);
}

function lossy(lost: readonly Lost[], unread: readonly UnreadValue[]): InputError {
  const all = [...lost.map(lostText), ...unread.map(unreadText)];
  const detail = all.slice(0, 3).join('; ') + (all.length > 3 ? '; …' : '');
  return new InputError('INVOICE_LOSSY', { field: 'fileInput', count: all.length, detail });
}

/** Sentences for what is lost, at most this many: a header holds them. */
const WARNINGS = 20;

/** What was lost, as sentences for people. */
export function lossWarnings({ lost, unread }: Converted): readonly string[] {
  const all = [
    ...lost.map((one) => `Lost: ${lostText(one)}.`),
    ...unread.map((one) => `Lost, because EN 16931 has no term for it: ${unreadText(one)}.`),
  ];
  if (all.length <= WARNINGS) return all;
  return [...all.slice(0, WARNINGS), `${all.length - WARNINGS} more values are lost; output=json lists all of them.`];
}

const lostText = ({ term, name, path, value }: Lost): string => `${name} (${term}, ${path}), "${shortened(value)}"`;

const unreadText = ({ xpath, line, value }: UnreadValue): string =>
  `${xpath.split('/').slice(-2).join('/')} in line ${line}, "${shortened(value)}"`;

function shortened(value: string): string {
  const line = value.replaceAll(/\s+/g, ' ');
  return line.length <= 60 ? line : `${line.slice(0, 60)}…`;
}
