// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface MergePdfsOptions {
  /**
   * Order of the inputs; both dates put the newest first, and files without a title or date come last. Default:
   * orderProvided.
   */
  readonly sortType?: 
    | 'orderProvided'
    | 'byFileName'
    | 'byDateModified'
    | 'byDateCreated'
    | 'byPDFTitle';
  /** Remove signature fields; their appearance stays on the page. Default: true. */
  readonly removeCertSign?: boolean;
  /** Add one bookmark per input, before those of the inputs. Default: false. */
  readonly generateToc?: boolean;
  /** File names in the desired order, one per line; takes precedence over sortType. */
  readonly fileOrder?: string;
}

export interface MergePdfs {
  /**
   * Merge several PDFs into one.
   *
   * Bookmarks, links, named destinations, form fields, page labels, layers, tags and attachments of all inputs are
   * kept. If two inputs use the same name, the later one gets a number: `name_2`.
   *
   * POST /api/v1/general/merge-pdfs
   */
  mergePdfs(files: Input | readonly Input[], options?: MergePdfsOptions, call?: CallOptions): Promise<FileResult>;
}
