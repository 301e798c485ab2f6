// Generated from the declarations of the operations by `npm run docs`.

import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

/** Answer of `listFormFields`. */
export type ListFormFieldsAnswer = {
  /** Empty for a document without a form */
  readonly fields: readonly {
    /** Partial names from the top, joined by periods */
    readonly name: string;
    /** Name for people */
    readonly label: string;
    readonly type: 'text' | 'checkbox' | 'combobox' | 'listbox' | 'radio' | 'button' | 'signature';
    /** Present value, several choices joined by commas; absent for none */
    readonly value?: string;
    /**
     * Values that it can take: of choices stored ones, then shown ones; of check boxes and radio buttons export
     * values. Absent for none
     */
    readonly options?: readonly string[];
    readonly required: boolean;
    /** 0-based page of its first widget; -1 for none */
    readonly pageIndex: number;
    /** A list box that takes several options */
    readonly multiSelect: boolean;
    /** Absent for none */
    readonly tooltip?: string;
    /** 0-based number among the fields of its page, in the order of the form */
    readonly pageOrder: number;
  }[];
  /**
   * Field name to present value: true or false for check boxes, an empty list for lists of several, a text for
   * others; no buttons and signatures
   */
  readonly template: Readonly<Record<string, unknown>>;
  /** The document has an XFA form: beside these fields, or instead of them. Absent for none */
  readonly xfa?: 'hybrid' | 'dynamic';
};

export interface ListFormFields {
  /**
   * List form fields and a template for filling.
   *
   * By page, then in the order of the form. Fields without a name or a type are left out; `X-Tool-Report` says how
   * many (`leftOut`), and `xfa` when the document has an XFA form: `hybrid` beside these fields, `dynamic` instead of
   * them. A document without a form answers an empty list. `template` goes into `form/fill` as it is.
   *
   * POST /api/v1/form/fields
   */
  listFormFields(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<ListFormFieldsAnswer>;
}
