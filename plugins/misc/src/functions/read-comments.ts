import type { Comment } from '@quire/document/structure/annotations';

/** Parses comments from JSON that was checked before; a missing number is 0. Throws SyntaxError for invalid JSON. */
export function readComments(json: string): Comment[] {
  const list = JSON.parse(json) as { readonly [K in keyof Comment]: Comment[K] | null }[];
  return list.map(({ pageIndex, x, y, width, height, text, author, subject, anchorText }) => ({
    pageIndex: pageIndex ?? 0,
    x: x ?? 0,
    y: y ?? 0,
    width: width ?? 0,
    height: height ?? 0,
    text: text ?? null,
    author: author ?? null,
    subject: subject ?? null,
    anchorText: anchorText ?? null,
  }));
}
