// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface UnlockForms {
  /**
   * Make read-only form fields editable.
   *
   * Removes the read-only flag from every field and the field locks that take effect on signing, and asks viewers to
   * draw the fields again (`NeedAppearances`). In XFA, `access="readOnly"` becomes `access="open"`. The content of a
   * document without a form is not changed. `X-Tool-Report` holds `fields` and `xfaParts`, how many of each were
   * unlocked.
   *
   * POST /api/v1/misc/unlock-pdf-forms
   */
  unlockForms(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<FileResult>;
}
