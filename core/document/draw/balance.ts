import { ContentLexer } from '../content/index.js';

/** How a content stream leaves the graphics state stack (ISO 32000-1, 8.4.2). */
export interface StateBalance {
  /** How many more `Q` than `q` were met at the worst point. */
  readonly underflow: number;
  /** `q` minus `Q` over the whole content. */
  readonly net: number;
}

/** Counts `q` and `Q` in decoded page content; strings, names, comments and inline image data do not count. */
export function stateBalance(content: Uint8Array): StateBalance {
  let net = 0;
  let underflow = 0;
  for (const { name } of new ContentLexer(content)) {
    if (name === 'q') net++;
    else if (name === 'Q') underflow = Math.max(underflow, -(--net));
  }
  return { net, underflow };
}
