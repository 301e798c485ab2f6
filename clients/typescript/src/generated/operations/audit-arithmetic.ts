// Generated from the declarations of the operations by `npm run docs`.

import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface AuditArithmeticOptions {
  /** Differences below this are ignored. From 0 to 1000000000. Default: 0.01. */
  readonly tolerance?: number;
}

/** Answer of `auditArithmetic`. */
export type AuditArithmeticAnswer = {
  /** Always math-audit */
  readonly type: 'math-audit';
  /** Names this audit */
  readonly sessionId: string;
  readonly discrepancies: readonly {
    readonly page: number;
    readonly kind: 'tally' | 'arithmetic' | 'consistency' | 'statement';
    readonly severity: 'error' | 'warning';
    readonly description: string;
    readonly stated: string;
    readonly expected: string;
    readonly context: string;
  }[];
  readonly pagesExamined: readonly number[];
  /** Questions to the language model */
  readonly roundsTaken: number;
  readonly summary: string;
  /** Nothing was found */
  readonly clean: boolean;
  readonly unauditablePages: readonly number[];
};

export interface AuditArithmetic {
  /**
   * Find arithmetic contradictions in a PDF.
   *
   * Everything is calculated here, with exact decimals: totals of tables and of lists of amounts (`tally`), quantity
   * times price and arithmetic that is written out (`arithmetic`), shares, sums, differences and changes in percent
   * in sentences (`statement`), and amounts such as an invoice total that are named twice differently
   * (`consistency`).
   *
   * The language model reads the sentences that hold several numbers, and proposes claims in them; a proposal counts
   * when its quotation is on the page and its numbers are in the quotation, and it is calculated like all others.
   * Nothing but such sentences leaves the server.
   *
   * Numbers are read as `1,234.56`, `1.234,56`, `1 234,56` and `1'234.56`. A number that can be read in two ways is
   * reported only when it is wrong in both. `warning`: rounding may explain it, or a person should look whether the
   * numbers belong together.
   *
   * `unauditablePages` have no text: recognise it first with `misc/ocr-pdf`. As a step of a pipeline the JSON takes
   * the place of the file.
   *
   * POST /api/v1/ai/tools/math-auditor-agent
   */
  auditArithmetic(file: Input, options?: AuditArithmeticOptions, call?: CallOptions): Promise<AuditArithmeticAnswer>;
}
