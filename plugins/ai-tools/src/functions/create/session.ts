import type { DocumentModel } from './document-model.js';

/** A heading and its points. */
export interface OutlinePart {
  readonly heading: string;
  readonly points: readonly string[];
}

/** Content of a document session. */
export interface SessionContent {
  /** All requests, oldest first; never empty. */
  readonly prompts: readonly string[];
  /** Type of the document (`invoice`) in the caller's words. */
  readonly documentType: string | null;
  readonly style: DocumentModel['style'];
  readonly outline: readonly OutlinePart[] | null;
  /** With fields (`{{customer_name}}`) for what is not known; without a style of its own. */
  readonly document: DocumentModel | null;
  /** Values of fields by their names. */
  readonly values: Readonly<Record<string, string>>;
}

/** How far a session is. */
export type SessionStatus = 'created' | 'outlined' | 'drafted';

/** Summary of a session for lists. */
export interface SessionSummary {
  readonly status: SessionStatus;
  /** Its beginning. */
  readonly title: string | null;
  readonly prompt: string;
  readonly documentType: string | null;
}

/** Characters of a title in a list. */
const LONGEST_TITLE = 500;
/** Fields of one document, letters of a name. */
const MOST_FIELDS = 500;
const FIELD = /\{\{\s*([\p{L}_][\p{L}\p{N}_]{0,79})\s*\}\}/gu;

/** How far a session is. */
export function statusOf({ outline, document }: SessionContent): SessionStatus {
  if (document !== null) return 'drafted';
  return outline === null ? 'created' : 'outlined';
}

export function summaryOf(content: SessionContent): SessionSummary {
  return {
    status: statusOf(content),
    title: content.document?.title?.slice(0, LONGEST_TITLE) ?? null,
    prompt: content.prompts.at(-1) ?? '',
    documentType: content.documentType,
  };
}

/** Names of the fields of a document, in their order. */
export function fieldsOf(document: DocumentModel | null): string[] {
  const names = new Set<string>();
  if (document !== null)
    everyText(document, (text) => {
      for (const [, name] of text.matchAll(FIELD)) if (name !== undefined && names.size < MOST_FIELDS) names.add(name);
      return text;
    });
  return [...names];
}

/** The document with the session's style and the values that are known; fields without one stay. */
export function filledDocument({ document, style, values }: SessionContent): DocumentModel | null {
  if (document === null) return null;
  const filled = everyText(document, (text) =>
    text.replace(FIELD, (field, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? field) : field)),
  ) as DocumentModel;
  return style === undefined || style === null ? filled : { ...filled, style };
}

/** Characters of what `filledDocument` gives, in its texts; found without making it. */
export function filledLength({ document, values }: SessionContent): number {
  let characters = 0;
  everyText(document, (text) => {
    characters += text.length;
    for (const [field, name = ''] of text.matchAll(FIELD))
      characters += Object.hasOwn(values, name) ? (values[name] ?? '').length - field.length : 0;
    return text;
  });
  return characters;
}

/** The value with each text in it changed. */
function everyText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((member) => everyText(member, change));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, everyText(member, change)]));
  return value;
}
