import type { Ask } from '../model-use.js';
import type { DocumentModel, DocumentSection } from './document-model.js';

export interface DocumentRequest {
  /** The user's request. */
  readonly request: string;
  /** The agreed headings and their points. */
  readonly outline?: readonly { readonly heading: string; readonly points: readonly string[] }[];
  /** The document as it is, where it is to be changed. */
  readonly before?: DocumentModel;
  readonly history?: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[];
  /** Source data. */
  readonly text?: string;
  /**
   * Placeholder for unknown values: a field in double braces that is filled in later, or a gap in brackets that a
   * reader sees.
   */
  readonly unknown: 'field' | 'gap';
}

const GUIDE =
  'You write a document that is laid out as a PDF, complete, in the language of the request. Each section ' +
  'shows what it holds: `heading`, `body` (plain text, paragraphs parted by an empty line), `pairs` (lines of ' +
  'a name and a value, such as addresses, numbers and dates), a table of `columns`, `rows` and `totalRow`, ' +
  '`items` (a list), `signatories`. Leave what a section does not need empty. `type` is paragraph, table, ' +
  'list, numbered_list, checklist, note, quote, two_columns, page_break, divider or signatures. Write no ' +
  'markup. Invent no facts about people, amounts or dates: for what is not known write ';
const UNKNOWN = {
  field: 'a field in double braces with a short name of small letters, digits and underscores, as {{customer_name}}.',
  gap: 'a gap in brackets, as [date].',
} as const;

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['title', 'subtitle', 'referenceNumber', 'sections'],
  properties: {
    title: text,
    subtitle: text,
    referenceNumber: text,
    sections: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['type', 'heading', 'body', 'pairs', 'columns', 'rows', 'totalRow', 'items', 'signatories'],
        properties: {
          type: text,
          heading: text,
          body: text,
          pairs: {
            type: 'array',
            items: {
              type: 'object',
              additionalProperties: false,
              required: ['name', 'value'],
              properties: { name: text, value: text },
            },
          },
          columns: texts,
          rows: { type: 'array', items: texts },
          totalRow: texts,
          items: texts,
          signatories: texts,
        },
      },
    },
  },
};

interface Written {
  readonly title: string;
  readonly subtitle: string;
  readonly referenceNumber: string;
  readonly sections: readonly (Record<'type' | 'heading' | 'body', string> &
    Record<'columns' | 'totalRow' | 'items' | 'signatories', readonly string[]> & {
      readonly pairs: readonly { readonly name: string; readonly value: string }[];
      readonly rows: readonly (readonly string[])[];
    })[];
}

/** Limits of the parts of an answer that are used. */
const MOST = { sections: 300, rows: 2000, columns: 40, items: 1000, characters: 20_000 } as const;

/** Has the model write a document, or change one. Rejects with what `ask` rejects with. */
export async function askDocument(
  { request, outline = [], before, history, text: data = '', unknown }: DocumentRequest,
  ask: Ask,
): Promise<DocumentModel> {
  const parts = [
    `The request: ${request}`,
    ...(outline.length === 0 ? [] : [`Keep to this outline:\n${outlineText(outline)}`]),
    ...(before === undefined
      ? []
      : ['The document as it is now follows as JSON: change it as the request says, and leave the rest as it is.']),
  ];
  const shown = [
    ...(before === undefined ? [] : [JSON.stringify({ ...before, style: undefined })]),
    ...(data === '' ? [] : [data]),
  ];
  const written = (await ask({
    feature: 'createPdf',
    tier: 'smart',
    instructions: [`${GUIDE}${UNKNOWN[unknown]}`, ...parts].join('\n\n'),
    text: shown.length === 0 ? '(nothing)' : shown.join('\n\n'),
    ...(history === undefined ? {} : { history }),
    answer: { name: 'document', schema },
  })) as Written;
  return {
    ...given({
      title: words(written.title),
      subtitle: words(written.subtitle),
      referenceNumber: words(written.referenceNumber),
    }),
    ...(before?.style === undefined ? {} : { style: before.style }),
    sections: written.sections
      .slice(0, MOST.sections)
      .map(sectionOf)
      .filter((section) => Object.keys(section).length > 0),
  };
}

/** An outline as text. */
export function outlineText(
  outline: readonly { readonly heading: string; readonly points: readonly string[] }[],
): string {
  return outline
    .map(({ heading, points }, i) => [`${i + 1}. ${heading}`, ...points.map((point) => `   - ${point}`)].join('\n'))
    .join('\n');
}

function sectionOf({
  type,
  heading,
  body,
  pairs,
  columns,
  rows,
  totalRow,
  items,
  signatories,
}: Written['sections'][number]): DocumentSection {
  const cells = (list: readonly string[], most: number): string[] => list.slice(0, most).map(words);
  const some = <T>(list: readonly T[]): readonly T[] | undefined => (list.length === 0 ? undefined : list);
  const held = given({
    heading: words(heading),
    body: words(body),
    pairs: some(pairs.slice(0, MOST.rows).map(({ name, value }) => [words(name), words(value)])),
    columns: some(cells(columns, MOST.columns)),
    rows: some(rows.slice(0, MOST.rows).map((row) => cells(row, MOST.columns))),
    totalRow: some(cells(totalRow, MOST.columns)),
    items: some(cells(items, MOST.items)),
    signatories: some(cells(signatories, 100)),
  });
  // A break or a line holds nothing.
  return Object.keys(held).length === 0 && !/break|divider/.test(type)
    ? {}
    : { ...given({ type: words(type).slice(0, 40) }), ...held };
}

function words(value: string): string {
  return value.trim().slice(0, MOST.characters);
}

/** Members that say something. */
function given<T extends Readonly<Record<string, unknown>>>(
  members: T,
): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== '')) as {
    readonly [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
