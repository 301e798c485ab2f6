// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface SplitForPosterPrintOptions {
  /** Paper size of the sheets. Default: A4. */
  readonly pageSize?: 'A4' | 'Letter' | 'A3' | 'A5' | 'Legal' | 'Tabloid';
  /** Sheets side by side. Whole number from 1 to 10. Default: 2. */
  readonly xFactor?: number;
  /** Sheets above each other. Whole number from 1 to 10. Default: 2. */
  readonly yFactor?: number;
  /** Order the sheets of a row from right to left. Default: false. */
  readonly rightToLeft?: boolean;
}

export interface SplitForPosterPrint {
  /**
   * Split pages onto several sheets for a poster.
   *
   * Each page, as the reader sees it, is divided into `xFactor` by `yFactor` cells; each sheet shows one cell as
   * large as it fits, centred, plus whatever next to it fits on the paper. Sheets are always upright. The content is
   * stored once, however many sheets show it. Comments, links and form fields go to the sheet that shows their
   * centre, bookmarks and link targets to the one that shows their point; tags, layers and attachments stay, page
   * labels are removed.
   *
   * POST /api/v1/general/split-for-poster-print
   */
  splitForPosterPrint(file: Input, options?: SplitForPosterPrintOptions, call?: CallOptions): Promise<FileResult>;
}
