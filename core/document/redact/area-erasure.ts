import type { Painting } from '../content/index.js';
import type { PaintedText, Quad } from '../content/index.js';
import type { PageRegions } from './areas.js';
import type { Erasure, Replacement } from './eraser.js';
import { glyphsIn } from './glyphs.js';

/** What lies in the regions of a page goes. */
export class AreaErasure implements Erasure {
  constructor(private readonly regions: PageRegions) {}

  glyphs(what: PaintedText): ReadonlySet<number> {
    return glyphsIn(what, this.regions);
  }

  path(): Replacement {
    return undefined;
  }

  image(): Replacement {
    return undefined;
  }

  inlineImage(): Replacement {
    return undefined;
  }

  shading(): Replacement {
    return undefined;
  }

  form(_what: Painting & { readonly quad: Quad }): 'enter' {
    return 'enter';
  }
}
