// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface UpdateMetadataOptions {
  /** Remove all metadata; all other fields are then ignored. Default: false. */
  readonly deleteAll?: boolean;
  /** Title; removed when not sent. */
  readonly title?: string;
  /** Author; removed when not sent. */
  readonly author?: string;
  /**
   * Creation date as yyyy/MM/dd HH:mm:ss, in the time zone of the server, or ISO 8601 with a zone; removed when not
   * sent.
   */
  readonly creationDate?: string;
  /** Program that created the document; removed when not sent. */
  readonly creator?: string;
  /** Keywords; removed when not sent. */
  readonly keywords?: string;
  /**
   * Modification date as yyyy/MM/dd HH:mm:ss, in the time zone of the server, or ISO 8601 with a zone; removed when
   * not sent.
   */
  readonly modificationDate?: string;
  /** Program that converted it to PDF; removed when not sent. */
  readonly producer?: string;
  /** Subject; removed when not sent. */
  readonly subject?: string;
  /** Whether colours were trapped for printing. */
  readonly trapped?: 'True' | 'False' | 'Unknown' | 'undefined';
  /** Additional entries by name. */
  readonly allRequestParams?: Readonly<Record<string, string | number | boolean>>;
}

export interface UpdateMetadata {
  /**
   * Edit or remove the metadata of a PDF.
   *
   * All nine standard entries are written on every call: an entry is removed if its field is missing, empty, or the
   * text `undefined`. To keep a value, send it again. An unreadable date removes its entry and is reported in
   * `X-Tool-Report` (`unreadable`).
   *
   * `allRequestParams` sets entries of other names, either as pairs `customKey<i>` and `customValue<i>` (a pair
   * without its value removes the entry) or by name. Send it as one field with a JSON object, or as fields
   * `allRequestParams[name]`.
   *
   * `deleteAll` removes every entry, the XMP metadata and the private data that programs store in the document and
   * its pages; all other fields are then ignored. Without it, XMP metadata is kept, but its values for these entries
   * are updated to match.
   *
   * POST /api/v1/misc/update-metadata
   */
  updateMetadata(file: Input, options?: UpdateMetadataOptions, call?: CallOptions): Promise<FileResult>;
}
