/** Who has to act; determines logging, retries and the class of the error. */
export type ErrorFamily = 'input' | 'access' | 'operational' | 'defect' | 'startup';

/** One row of the error table. `text` has `{placeholders}` that are filled from the error's data. */
export interface ErrorRow {
  readonly family: ErrorFamily;
  /** HTTP status; 0 for errors that never reach a client. */
  readonly status: number;
  /** Relative URI of the problem type (RFC 9457). */
  readonly type: string;
  readonly title: string;
  readonly text: string;
  /**
   * Texts that replace `text` when the error's data has a value other than false for the member; the first match wins.
   */
  readonly textIf?: Readonly<Record<string, string>>;
  /** The code that existing clients compare (`docs/interface/platform.yml`). */
  readonly legacy?: string;
  readonly retryable?: boolean;
  /**
   * The `error` member that existing clients compare, next to `message`; `{text}` stands for the filled text
   * (`docs/interface/auth.yml`).
   */
  readonly error?: string;
  /** Advice to the caller. */
  readonly hint?: string;
}

type RowData = Omit<ErrorRow, 'family'>;
type RowOf<F extends ErrorFamily> = ErrorRow & { readonly family: F };

const rowOf =
  <F extends ErrorFamily>(family: F) =>
  (data: RowData): RowOf<F> => ({ ...data, family, type: `/errors/${data.type}` });

export const inputRow = rowOf('input');
export const accessRow = rowOf('access');
export const operationalRow = rowOf('operational');
export const defectRow = rowOf('defect');
export const startupRow = rowOf('startup');
