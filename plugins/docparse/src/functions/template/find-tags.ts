import { elementsIn } from '@quire/document/file/xml/dom';
import type { Element, Text } from '@xmldom/xmldom';
import type { Dialect, TextPiece } from './dialect.js';

/** The content of double braces. */
export interface Tag {
  /**
   * `value` is replaced; `open` and `close` hold what is repeated or chosen, `openNot` what comes where there is
   * nothing; `picture` is a picture from base64.
   */
  readonly kind: 'value' | 'open' | 'openNot' | 'close' | 'picture';
  readonly name: string;
  /** As it is written, with its braces. */
  readonly source: string;
}

/** Carries a tag's number while a part is filled. */
export const MARK = 'quire-tag';
const TAG = /\{\{([^{}\ufffc]*)\}\}/g;
const KINDS: Readonly<Record<string, Tag['kind']>> = { '#': 'open', '^': 'openNot', '/': 'close', '%': 'picture' };
/** Tags of a template. */
const MAX_TAGS = 20_000;

/**
 * Finds the tags of all paragraphs below `root` and gives each an element of its own, marked with its number in the
 * list. Throws RangeError for too many.
 */
export function markTags(root: Element, dialect: Dialect, tags: Tag[]): void {
  for (const paragraph of elementsIn(root).filter((element) => dialect.isParagraph(element))) {
    const pieces = dialect.pieces(paragraph);
    const text = pieces.map((piece) => piece.text).join('');
    // From the last to the first, so that places before stay what they are.
    for (const { 0: source, 1: inside = '', index } of [...text.matchAll(TAG)].reverse()) {
      const [, sign = '', name = ''] = /^\s*([#^/%]?)\s*([\s\S]*?)\s*$/.exec(inside) ?? [];
      if (name === '' && sign !== '/') continue;
      if (tags.length >= MAX_TAGS) throw new RangeError('tags');
      isolate(pieces, index, index + source.length, source, dialect).setAttribute(MARK, String(tags.length));
      tags.push({ kind: KINDS[sign] ?? 'value', name, source });
    }
  }
}

/** Brings the text from `start` to `end` of a paragraph into an element of its own, in the look of where it begins. */
function isolate(pieces: readonly TextPiece[], start: number, end: number, source: string, dialect: Dialect): Element {
  let at = 0;
  let tag: Text | undefined;
  const touched: { readonly node: Text; readonly from: number; readonly to: number }[] = [];
  for (const { node, text } of pieces) {
    const [from, to] = [Math.max(start, at) - at, Math.min(end, at + text.length) - at];
    if (node !== undefined && from < to) touched.push({ node, from, to });
    at += text.length;
  }
  // Everything after the tag was processed before: a node may now be shorter than its piece, but never longer before
  // the tag's end.
  for (const { node, from, to } of touched.reverse()) {
    if (to < node.data.length || (tag === undefined && dialect.joined(node, 'after'))) dialect.part(node, to);
    tag = from > 0 || dialect.joined(node, 'before') ? dialect.part(node, from) : node;
    tag.data = '';
  }
  if (tag === undefined) throw new Error('a tag without text');
  tag.data = source;
  return dialect.owner(tag);
}
