// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface CombineToSinglePage {
  /**
   * Combine all pages into one long page.
   *
   * Pages keep their size and are stacked upright along the left edge, the first at the top. Each page becomes a
   * layer (`Layer0`, `Layer1` and so on) in addition to the layers of the document. A page may not be longer than
   * 14400 units; if the pages together are longer, a larger unit is used (`UserUnit`) and the size in points is still
   * exact. Links, bookmarks, form fields, comments, tags and attachments stay, moved with their pages; page labels
   * are removed.
   *
   * POST /api/v1/general/pdf-to-single-page
   */
  combineToSinglePage(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<FileResult>;
}
