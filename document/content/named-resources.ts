import { entry } from '../file/objects/index.js';
import type { Frame } from './frame.js';
import { ContentLexer } from './lexer.js';
import { ContentName, type Operator } from './operands.js';
import type { Splice } from './writer.js';

/** The kind of resource that an operator names, by its last operand or, of fonts, by the first (ISO 32000-1, 7.8.3). */
const KINDS: Readonly<Record<string, string>> = {
  Do: 'XObject',
  gs: 'ExtGState',
  sh: 'Shading',
  scn: 'Pattern',
  SCN: 'Pattern',
  BDC: 'Properties',
  DP: 'Properties',
  Tf: 'Font',
};

/** Names by kind that the replaced stretches of a frame's content named and the new content does not name any more. */
export function ceasedNames(
  frame: Frame,
  splices: readonly Splice[],
  bytes: Uint8Array,
): ReadonlyMap<string, ReadonlySet<string>> {
  const ceased = new Map<string, Set<string>>();
  for (const { start, end } of splices) {
    for (const operator of new ContentLexer(frame.bytes.subarray(start, end))) {
      const named = namedBy(operator);
      if (named === undefined) continue;
      const names = ceased.get(named.kind);
      if (names === undefined) ceased.set(named.kind, new Set([named.name]));
      else names.add(named.name);
    }
  }
  // A form without resources uses those of the content that draws it (ISO 32000-1, 7.8.3).
  if (
    ceased.size === 0 ||
    frame.children.some(({ use }) => use !== undefined && entry(use.stream.dict, 'Resources') === undefined)
  )
    return new Map();
  for (const operator of new ContentLexer(bytes)) {
    const named = namedBy(operator);
    if (named !== undefined) ceased.get(named.kind)?.delete(named.name);
  }
  return ceased;
}

function namedBy({ name, operands }: Operator): { readonly kind: string; readonly name: string } | undefined {
  const kind = KINDS[name];
  if (kind === undefined) return undefined;
  const last = name === 'BDC' || name === 'DP' ? operands[1] : name === 'Tf' ? operands[0] : operands.at(-1);
  return last instanceof ContentName ? { kind, name: last.text } : undefined;
}
