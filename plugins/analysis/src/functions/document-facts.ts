import type { OpenedPdf } from '@quire/document/file/open';
import { acroFormOf, hasXfa, readFields } from '@quire/document/forms/fields';
import { asNumber, entry } from '@quire/document/file/objects';
import { encryptionFacts, infoFacts, pdfVersion } from '@quire/document/structure/report';

export interface BasicInfo {
  readonly pageCount: number;
  /** The header's version, or the catalog's where that is later. */
  readonly pdfVersion: number;
}

export function basicInfo({ document: { context }, pages }: OpenedPdf): BasicInfo {
  return { pageCount: pages.length, pdfVersion: pdfVersion(context) };
}

/**
 * The entries of the information dictionary that have names of the standard (ISO 32000-1, table 317); null for what is
 * not there. Dates are ISO 8601.
 */
export interface DocumentProperties {
  readonly title: string | null;
  readonly author: string | null;
  readonly subject: string | null;
  readonly keywords: string | null;
  readonly creator: string | null;
  readonly producer: string | null;
  readonly creationDate: string | null;
  readonly modificationDate: string | null;
}

/** Reads the information dictionary; an invalid date counts as missing. */
export function documentProperties({ document: { context } }: OpenedPdf): DocumentProperties {
  const { texts, created, modified } = infoFacts(context);
  const said = new Map(texts);
  const text = (key: string): string | null => said.get(key) ?? null;
  return {
    title: text('Title'),
    author: text('Author'),
    subject: text('Subject'),
    keywords: text('Keywords'),
    creator: text('Creator'),
    producer: text('Producer'),
    creationDate: created ?? null,
    modificationDate: modified ?? null,
  };
}

/** Facts about a document's form (ISO 32000-1, 12.7.2). */
export interface FormOverview {
  /** Fields of the top level; those of a group are in it. */
  readonly fieldCount: number;
  readonly hasXFA: boolean;
  /** The form says so (SignaturesExist); nothing is searched. */
  readonly isSignaturesExist: boolean;
}

/** SignaturesExist in /SigFlags (ISO 32000-1, table 219). */
const SIGNATURES_EXIST = 1;

/** Returns the facts about a document's form; 0, false and false without one. */
export function formOverview({ document: { context } }: OpenedPdf): FormOverview {
  const form = acroFormOf(context);
  const flags = (form && asNumber(context, entry(form, 'SigFlags'))) ?? 0;
  return {
    fieldCount: readFields(context).length,
    hasXFA: hasXfa(context),
    isSignaturesExist: (flags & SIGNATURES_EXIST) !== 0,
  };
}

/**
 * Encryption of a document; all but the first member only if it is encrypted and our own reader opened it, because
 * other readers do not report them.
 */
export interface SecurityInfo {
  readonly isEncrypted: boolean;
  /** Bits of the key. */
  readonly keyLength?: number;
  /** Actions that users may not take. */
  readonly permissions?: {
    readonly preventPrinting: boolean;
    readonly preventModify: boolean;
    readonly preventExtractContent: boolean;
    readonly preventModifyAnnotations: boolean;
  };
}

/** Reads the encryption of a document that opens without a password (ISO 32000-1, 7.6.3.2, table 22). */
export function securityInfo(opened: OpenedPdf): SecurityInfo {
  const {
    encrypted,
    handler,
    permissions: { print, modify, copy, annotate },
  } = encryptionFacts(opened);
  if (!encrypted || handler === undefined) return { isEncrypted: encrypted };
  return {
    isEncrypted: true,
    keyLength: handler.keyBits,
    permissions: {
      preventPrinting: !print,
      preventModify: !modify,
      preventExtractContent: !copy,
      preventModifyAnnotations: !annotate,
    },
  };
}
