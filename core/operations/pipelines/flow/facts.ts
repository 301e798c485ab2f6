import { baseName, fileKinds, kindOfName, type ConcreteKind } from '@quire/registry';
import type { DocumentFact } from '../../runner/index.js';
import type { WireFile } from '../../workers/index.js';

export type FactType = 'number' | 'boolean' | 'text';
export type FactValue = number | boolean | string;

/** Reads a fact about a PDF or an XML file in a worker. */
export type FactReader = (file: WireFile, fact: DocumentFact, signal: AbortSignal) => Promise<number | boolean>;

/** A fact about a file that conditions compare. */
export interface Fact {
  readonly type: FactType;
  /** At most 30 characters, for people: "Number of pages". */
  readonly title: string;
  readonly summary: string;
  /** The only file types that have it; other files fit no comparison. */
  readonly kinds?: readonly ConcreteKind[];
  /** It can be read only if the document opens without a password. */
  readonly needsOpen?: boolean;
  /** What is wrong with a value that it is compared with, to follow the value. */
  readonly faultOf?: (value: FactValue) => string | undefined;
  of(file: WireFile, read: (fact: DocumentFact) => Promise<number | boolean>): FactValue | Promise<FactValue>;
}

const pdf = ['pdf'] as const;

/** Everything that a pipeline may branch on. */
export const facts: Readonly<Record<string, Fact>> = {
  kind: {
    type: 'text',
    title: 'File type',
    summary: 'Type of the file by its content: pdf, docx, jpeg, …',
    faultOf: kindFault,
    of: ({ kind }) => kind,
  },
  size: { type: 'number', title: 'Size in bytes', summary: 'Size in bytes', of: ({ size }) => size },
  name: {
    type: 'text',
    title: 'File name',
    summary: 'Name of the file with its extension',
    of: ({ name }) => name,
  },
  extension: {
    type: 'text',
    title: 'Extension of the name',
    summary: 'Extension of its name in small letters, without the dot',
    of: ({ name }) => name.slice(baseName(name).length + 1).toLowerCase(),
  },
  pages: {
    type: 'number',
    title: 'Number of pages',
    summary: 'Number of pages of a PDF',
    kinds: pdf,
    needsOpen: true,
    of: (_, read) => read('pages'),
  },
  encrypted: {
    type: 'boolean',
    title: 'Encrypted',
    summary: 'Whether a PDF is encrypted: it needs a password, or has restrictions',
    kinds: pdf,
    of: (_, read) => read('encrypted'),
  },
  locked: {
    type: 'boolean',
    title: 'Needs a password',
    summary: 'Whether a PDF needs a password to open',
    kinds: pdf,
    of: (_, read) => read('locked'),
  },
  signed: {
    type: 'boolean',
    title: 'Signed',
    summary: 'Whether a PDF has a digital signature',
    kinds: pdf,
    needsOpen: true,
    of: (_, read) => read('signed'),
  },
  hasText: {
    type: 'boolean',
    title: 'Has text',
    summary: 'Whether a page of a PDF has text; scans have none before OCR',
    kinds: pdf,
    needsOpen: true,
    of: (_, read) => read('hasText'),
  },
  invoice: {
    type: 'boolean',
    title: 'Electronic invoice',
    summary:
      'Whether a PDF carries an electronic invoice, or an XML file is one: Factur-X, ZUGFeRD, XRechnung, CII or UBL; ' +
      'what is in it is not checked',
    kinds: ['pdf', 'xml'],
    needsOpen: true,
    of: (_, read) => read('invoice'),
  },
};

/** Returns a fact by its name, or undefined. */
export function factNamed(name: string): Fact | undefined {
  return Object.hasOwn(facts, name) ? facts[name] : undefined;
}

function kindFault(value: FactValue): string | undefined {
  if (Object.hasOwn(fileKinds, String(value))) return undefined;
  const near = kindOfName(`x.${String(value).replace(/^\./, '')}`);
  return `is not a file type of this server${near === undefined ? '' : `; did you mean ${near}?`}`;
}
