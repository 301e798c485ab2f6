import type { Artefact, Block, Footnote } from '../model.js';
import type { Para } from '../prose/paragraphs.js';
import type { DocumentStyle } from '../whole/document-style.js';
import type { HeadingFinder } from '../whole/headings.js';
import type { EdgeLine } from '../whole/running.js';

/** Facts about the document with which a page is read. */
export interface PageSetting {
  readonly style: DocumentStyle;
  readonly headings: HeadingFinder;
  /** Lines at the edges of the pages nearby. */
  readonly near: readonly (readonly EdgeLine[])[];
  /** Where each paragraph block came from, for joining over page breaks. */
  readonly origins: WeakMap<Block, Para>;
}

/** The body of a page, found by its tags or by positions. */
export interface PageBody {
  readonly blocks: readonly Block[];
  readonly footnotes: readonly Footnote[];
  readonly artefacts: readonly Artefact[];
}
