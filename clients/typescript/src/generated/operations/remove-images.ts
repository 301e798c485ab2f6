// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface RemoveImages {
  /**
   * Remove all images from the pages.
   *
   * Images and image masks are removed together with the operators that draw them, also inside form XObjects and
   * inline in the content, and so are page thumbnails; nothing of them remains in the file. Images in annotations and
   * patterns stay. A PDF without images is returned rewritten. `X-Tool-Report` holds `removed`.
   *
   * POST /api/v1/general/remove-image-pdf
   */
  removeImages(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<FileResult>;
}
