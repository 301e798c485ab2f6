// Generated from the declarations of the operations by `npm run docs`.

import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

/** Answer of `locateFormFields`. */
export type LocateFormFieldsAnswer = readonly {
  /** Partial names from the top, joined by periods */
  readonly name: string;
  /** Name for people */
  readonly label: string;
  readonly type: 'text' | 'checkbox' | 'combobox' | 'listbox' | 'radio' | 'button' | 'signature';
  /** Present value, several choices joined by commas; absent for none */
  readonly value?: string;
  /**
   * Values that it can take: of choices stored ones, then shown ones; of check boxes and radio buttons export values.
   * Absent for none
   */
  readonly options?: readonly string[];
  /** Shown texts of the options; absent if they equal the values */
  readonly displayOptions?: readonly string[];
  readonly required: boolean;
  readonly readOnly: boolean;
  /** A list box that takes several options */
  readonly multiSelect: boolean;
  /** A text of several lines */
  readonly multiline: boolean;
  /** A text that is shown as asterisks */
  readonly password: boolean;
  /** A text with `maxLength` cells, one for each character */
  readonly comb: boolean;
  /** A combo box that takes other texts than its options */
  readonly editable: boolean;
  /** Most characters of a text; absent for any number */
  readonly maxLength?: number;
  /** Options of a combo or list box, in order; absent for none */
  readonly choices?: readonly {
    /** Stored value, which `form/fill` takes */
    readonly value: string;
    /** Shown text */
    readonly label: string;
  }[];
  /** Present choices of a list box that takes several; absent for none */
  readonly values?: readonly string[];
  /** Of signature fields only */
  readonly signed?: boolean;
  /** Signature field whose signature locks this field; absent for a field that may change */
  readonly lockedBy?: string;
  /** Absent for none */
  readonly tooltip?: string;
  /** Where it is shown; absent for nowhere */
  readonly widgets?: readonly {
    /** 0-based */
    readonly pageIndex: number;
    /** From the left edge of the crop box */
    readonly x: number;
    /** From the top edge of the crop box to the top of the widget */
    readonly y: number;
    readonly width: number;
    readonly height: number;
    /** Of check boxes and radio buttons: the value of this choice, as in `value`;  absent otherwise */
    readonly exportValue?: string;
    /** Absent if it depends on the field size or is unknown */
    readonly fontSize?: number;
    /** Of texts and choices; absent otherwise */
    readonly alignment?: 'left' | 'center' | 'right';
    /** Degrees by which the content is turned counterclockwise on the page; absent for 0 */
    readonly rotation?: 90 | 180 | 270;
    /** Text of a push button; absent for none */
    readonly caption?: string;
    /** Screens do not show it; absent for those that do */
    readonly hidden?: true;
    /**
     * 0-based place among the widgets of its page when people press the tab key: by rows or columns where the page
     * says so, else in the order of its annotations
     */
    readonly tabOrder: number;
  }[];
}[];

export interface LocateFormFields {
  /**
   * List form fields with their boxes on the pages.
   *
   * By page, from top to bottom (tops within 10 points are one line), from left to right; fields that no page shows
   * come last. Lengths are units of the page, points unless it says otherwise (`UserUnit`), from the upper left
   * corner of the crop box, as the page is before `Rotate` turns it. Widgets that begin outside of the crop box are
   * left out. A document without a form answers an empty list. `X-Tool-Report`: `leftOut` counts fields without a
   * name or a type; `xfa` is `hybrid` or `dynamic` for a document with an XFA form.
   *
   * POST /api/v1/form/fields-with-coordinates
   */
  locateFormFields(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<LocateFormFieldsAnswer>;
}
