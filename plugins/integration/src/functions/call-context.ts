import type { JsonValue } from './connection-types.js';
import { valueAt } from './json-path.js';
import type { SensitivityLabel } from './sensitivity-labels.js';
import type { Lookup } from './placeholders.js';

/** Facts from inside a document; null if it does not have them, is not a PDF or is locked. */
export interface DocumentTold {
  readonly pageCount: number | null;
  readonly encrypted: boolean | null;
  readonly title: string | null;
  readonly author: string | null;
  readonly subject: string | null;
  readonly keywords: string | null;
  readonly creator: string | null;
  readonly producer: string | null;
  /** ISO 8601. */
  readonly created: string | null;
  readonly modified: string | null;
  /** The JSON of the entry `Classification` of the information dictionary. */
  readonly classification: JsonValue;
  readonly label: SensitivityLabel | null;
}

/** Facts about a document that need no opening. */
export interface FileTold {
  readonly filename: string;
  /** Content type that the client sent, and the one of its bytes and name. */
  readonly contentType: string;
  readonly resolvedContentType: string;
  readonly sizeBytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** The run that makes the call. */
export interface RunTold {
  readonly policyName: string | null;
  readonly runId: string;
  /** ISO 8601. */
  readonly timestamp: string;
}

/** Values that are sent as context, and that placeholders use. */
export interface CallContext {
  readonly document: { readonly [key: string]: JsonValue };
  readonly classification: JsonValue;
  readonly sensitivityLabel: JsonValue;
  readonly run: { readonly [key: string]: JsonValue };
}

const NO_LABEL = { labelId: null, name: null, siteId: null, method: null, protected: null } as const;

/** Used if a call asks for nothing from inside the document. */
export const NOTHING_TOLD: DocumentTold = {
  pageCount: null,
  encrypted: null,
  title: null,
  author: null,
  subject: null,
  keywords: null,
  creator: null,
  producer: null,
  created: null,
  modified: null,
  classification: null,
  label: null,
};

export function callContext(file: FileTold, told: DocumentTold, run: RunTold): CallContext {
  const { classification, label, ...facts } = told;
  const dot = file.filename.lastIndexOf('.');
  return {
    document: {
      filename: file.filename,
      safeFilename: file.filename.replace(/[^A-Za-z0-9._-]+/g, '_'),
      extension: dot > 0 ? file.filename.slice(dot + 1).toLowerCase() : '',
      contentType: file.contentType,
      resolvedContentType: file.resolvedContentType,
      sizeBytes: file.sizeBytes,
      sha256: file.sha256,
      ...facts,
    },
    classification,
    sensitivityLabel:
      label === null
        ? null
        : {
            labelId: label.labelId,
            name: label.labelName,
            siteId: label.siteId,
            method: label.method,
            protected: label.protected,
          },
    run: { ...run },
  };
}

/** Looks up names of placeholders. `base64`: the placeholder for the content of the document. */
export function lookupIn(
  { document, classification, sensitivityLabel, run }: CallContext,
  base64: () => string,
): Lookup {
  return (name) => {
    if (name === 'document.base64') return base64();
    const [head = '', ...rest] = name.split('.');
    const path = rest.join('.');
    const member = (from: unknown): JsonValue | undefined =>
      rest.length === 1 ? (valueAt(from, path) as JsonValue | undefined) : undefined;
    if (head === 'document') return member(document);
    if (head === 'run') return member(run);
    if (head === 'sensitivityLabel') return member(sensitivityLabel ?? NO_LABEL);
    // Classifications have any names: each may be missing.
    return head === 'classification' && path !== ''
      ? ((valueAt(classification, path) as JsonValue | undefined) ?? null)
      : undefined;
  };
}
