/** A table cell; numbers and booleans are shown as written. */
export type Cell = string | number | boolean | null;

/** Who signs, where more than a name is known. */
export interface Signatory {
  readonly name?: string | null;
  readonly title?: string | null;
  readonly organisation?: string | null;
  readonly date?: string | null;
}

/**
 * A part of a document (`docs/interface/ai.yml`, create-pdf-from-html-agent): it shows every member that it has; `type`
 * says how.
 */
export interface DocumentSection {
  readonly type?: string | null;
  readonly heading?: string | null;
  /** Paragraphs are separated by empty lines. */
  readonly body?: string | null;
  readonly pairs?: readonly (readonly Cell[])[] | null;
  readonly columns?: readonly Cell[] | null;
  readonly rows?: readonly (readonly Cell[])[] | null;
  readonly totalRow?: readonly Cell[] | null;
  readonly items?: readonly Cell[] | null;
  readonly signatories?: readonly (string | Signatory)[] | null;
}

/** A document as the model of the contract has it. Colours are `#RRGGBB`. */
export interface DocumentModel {
  readonly title?: string | null;
  readonly subtitle?: string | null;
  readonly referenceNumber?: string | number | null;
  readonly style?: {
    readonly primaryColor?: string | null;
    readonly backgroundColor?: string | null;
    readonly bodyTextColor?: string | null;
  } | null;
  readonly sections?: readonly DocumentSection[] | null;
}

/** How a section is shown beyond what it holds. */
export type SectionLook = 'plain' | 'numbered' | 'checklist' | 'note' | 'quote' | 'columns' | 'pageBreak' | 'divider';

const looks: readonly (readonly [RegExp, SectionLook])[] = [
  [/^(page-?break|new-?page)$/, 'pageBreak'],
  [/^(divider|separator|rule|line)$/, 'divider'],
  [/^(numbered(-?list)?|ordered(-?list)?|numbered-?items|steps|ol)$/, 'numbered'],
  [/^(check-?list|tasks?|to-?do(-?list)?)$/, 'checklist'],
  [/^(notes?|notice|call-?out|highlight|warning|info|summary-?box|box)$/, 'note'],
  [/^(quote|quotation|block-?quote)$/, 'quote'],
  [/^((two|multi|2)-?columns?(-?text)?|columns)$/, 'columns'],
];

/**
 * Normalises a section's `type` (`numberedList`, `numbered_list`); an unknown type shows the content of the section.
 */
export function lookOf(type: string | null | undefined): SectionLook {
  const name = (type ?? '')
    .trim()
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .replace(/[\s_]+/g, '-')
    .toLowerCase();
  return looks.find(([pattern]) => pattern.test(name))?.[1] ?? 'plain';
}
