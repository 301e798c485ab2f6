// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface DecompressPdf {
  /**
   * Decompress all streams of a PDF.
   *
   * Every stream is stored without a filter and object streams are not used, so that the file can be read as text.
   * JPEG, CCITT fax and JBIG2 images become raw samples in their own colour space, up to 384 MiB in total. JPEG 2000
   * images, broken streams and streams that cannot be decoded exactly stay as they are. A document that would grow
   * beyond 1 GiB is refused. `X-Tool-Report` holds `decoded` (streams stored without a filter) and `kept` (streams
   * left as they were).
   *
   * POST /api/v1/misc/decompress-pdf
   */
  decompressPdf(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<FileResult>;
}
