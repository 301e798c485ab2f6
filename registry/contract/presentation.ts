import type { When } from './when.js';

/**
 * How a field is shown to people. `text` to `json` follow from the field's schema; the others are declared, most of
 * them by a shared field (`pageNumbersField`, `colourField`).
 *
 * - `pages`: page numbers in the syntax of `selectPages`, chosen by clicking pages.
 * - `pageOrder`: the same, in which order and repetition matter.
 * - `position`: one of nine places on a page, as the values 1 to 9 or the names that the schema allows.
 * - `secret`: a password. `multiline`: a text of several lines. `signature`: a drawn, typed or loaded signature.
 * - `size`: a number of bytes with a unit (`25MB`). `language`: names of languages for text recognition.
 * - `list`: several values. `map`: named texts. `json`: a JSON document.
 */
export type Widget =
  | 'text'
  | 'multiline'
  | 'number'
  | 'switch'
  | 'choice'
  | 'list'
  | 'map'
  | 'json'
  | 'pages'
  | 'pageOrder'
  | 'position'
  | 'colour'
  | 'opacity'
  | 'secret'
  | 'size'
  | 'language'
  /** A folder of the file storage, by its id. */
  | 'folder'
  /** A saved S3 connection, by its number; 0 is none. */
  | 'connection'
  | 'date'
  | 'signature';

/** Units of numbers, as they are shown. */
export type Unit = 'pt' | 'mm' | 'px' | '%' | 'dpi' | '°' | 's' | 'MB' | 'pages';

/**
 * A widget that fills several fields at once: a rectangle or a point chosen on the page, in points; by default in the
 * page's own coordinates (ISO 32000-1, 8.3.2.3), see `FieldGroup.frame`.
 */
export type GroupWidget = 'area' | 'point';

/** Screens of the console on which people do the work of an operation by hand, by address. */
export type OperationScreen =
  | 'organise'
  | 'document/forms'
  | 'document/redact'
  | 'document/bookmarks'
  | 'document/attachments'
  | 'document/labels'
  | 'document/metadata'
  | 'invoices'
  | 'invoices/new';

/** Presentation of a field, in the `shown` member of its schema's `meta`. */
export interface FieldPresentation {
  /** At most 40 characters, without a full stop. Default: the words of the field's name. */
  readonly label?: string;
  /** One or two sentences; empty where the label says it all. Default: the schema's description. */
  readonly help?: string;
  readonly widget?: Widget;
  readonly unit?: Unit;
  /** Id of a group of the operation. */
  readonly group?: string;
  /** Smaller is earlier; default 0. Fields of equal order are shown as they are declared. */
  readonly order?: number;
  /** Shown only while this holds. A field that is not shown is not sent. */
  readonly when?: When;
  /** Required while this holds, where the schema does not say so by `when` with equal values. */
  readonly requiredWhen?: When;
  /** Never shown: it has no effect, and is accepted because existing clients send it. */
  readonly hidden?: true;
  /** Labels of the values that it allows, by value. Default: the words of the value. */
  readonly options?: Readonly<Record<string, string>>;
  /** Shown after a click on "More options". */
  readonly advanced?: boolean;
  /** Name of a custom element of the plugin that shows it, instead of a widget. */
  readonly element?: string;
}

/** A group of fields under a common title, in the operation's `groups`. */
export interface FieldGroup {
  readonly id: string;
  readonly title: string;
  readonly widget?: GroupWidget;
  /**
   * For `widget`: the fields by role; an `area` has x, y, width and height, or left, bottom, right and top; a `point`
   * has x and y, and may have page; an area with a `picture` has x, y and width, and may have page.
   */
  readonly roles?: Readonly<Record<string, string>>;
  /**
   * For `area`: the file part with the picture that is placed there. It keeps its proportions; without a width, a pixel
   * is a point.
   */
  readonly picture?: string;
  /**
   * For `widget`: what is measured. `page` (default): the page's own coordinates, before rotation. `shown`: points from
   * the lower left corner of the media box as people see the page, rotation included.
   */
  readonly frame?: 'page' | 'shown';
}

/** A field as the console gets it (`GET /api/v1/console/catalog`). */
export interface ShownField {
  readonly name: string;
  readonly label: string;
  readonly help?: string;
  readonly widget: Widget;
  readonly type: 'text' | 'number' | 'integer' | 'boolean' | 'list' | 'map' | 'json';
  readonly required: boolean;
  /** Required when this holds. */
  readonly requiredWhen?: When;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  /** `minimum` or `maximum` itself is not allowed. */
  readonly above?: boolean;
  readonly below?: boolean;
  /** Of the text, in characters; of a list, in items. */
  readonly shortest?: number;
  readonly longest?: number;
  /** Regular expression (ECMA-262) that the text must match. */
  readonly pattern?: string;
  /** The values that it allows. */
  readonly values?: readonly { readonly value: string | number | boolean; readonly label: string }[];
  readonly unit?: Unit;
  readonly group?: string;
  readonly when?: When;
  readonly advanced?: boolean;
  readonly element?: string;
}

/** A file field as the console gets it; the first is `fileInput`, unless the operation has no input document. */
export interface ShownPart {
  readonly field: string;
  readonly label: string;
  readonly help?: string;
  readonly kinds: readonly string[];
  /** For the `accept` attribute of a file input; empty for any file. */
  readonly extensions: readonly string[];
  readonly required: boolean;
  readonly requiredWhen?: When;
  /** People can draw or type it. */
  readonly widget?: 'signature';
  readonly many: boolean;
  readonly when?: When;
}

/** Whether the caller may use an operation now, and if not, why. */
export interface Availability {
  readonly state: 'available' | 'off' | 'missing' | 'licence' | 'role';
  /** A sentence. */
  readonly reason?: string;
  /** Programs or settings that are missing, with the command that installs them. */
  readonly missing?: readonly { readonly name: string; readonly install?: string }[];
}

/** An operation as the console gets it. */
export interface ShownOperation {
  /** `general/rotate-pdf`; the call is `POST /api/v1/` + path. */
  readonly path: string;
  /** Unique name in generated clients, and OpenAPI operationId: `rotatePdf`. */
  readonly name: string;
  readonly category: string;
  /** At most 30 characters: "Rotate pages". */
  readonly title: string;
  readonly summary: string;
  /** Markdown. */
  readonly notes?: string;
  readonly keywords: readonly string[];
  /** Name of an icon of the console's set, or an SVG path of a 24 by 24 grid that starts with `M`. */
  readonly icon: string;
  readonly order: number;
  /** Screen of the console that does the same with the pages in view. */
  readonly screen?: OperationScreen;
  /** Name of the field with the password that opens the input. */
  readonly password?: string;
  /** Name of the field with the password that opens the result. */
  readonly resultPassword?: string;
  /** `each`: one result for each file; `all`: all files are used together. */
  readonly files: 'each' | 'all';
  readonly parts: readonly ShownPart[];
  readonly groups: readonly FieldGroup[];
  readonly fields: readonly ShownField[];
  readonly returns: {
    readonly type: 'file' | 'json';
    /** File types of the result; `same` is that of the input. */
    readonly kinds: readonly string[];
    /** The result may be a zip of several files. */
    readonly many: boolean;
    readonly mayDrop: boolean;
  };
  readonly effects: readonly string[];
  readonly pipeline: boolean;
  readonly job: boolean;
  readonly deprecated?: { readonly use?: string };
  readonly availability: Availability;
  /** Examples that are not refused; `files` and `parts` are names under `console/samples/<category>/`. */
  readonly examples: readonly {
    readonly title: string;
    readonly files: readonly string[];
    readonly parts: Readonly<Record<string, string>>;
    readonly params: Readonly<Record<string, unknown>>;
  }[];
}

export interface ShownCategory {
  readonly id: string;
  readonly title: string;
  readonly icon: string;
  readonly order: number;
}

/** A pipeline for a common need, from which people start their own. */
export interface PipelineTemplate {
  /** Unique; lower-case words with hyphens. */
  readonly id: string;
  /** At most 40 characters: "Scan to searchable PDF". */
  readonly title: string;
  readonly summary: string;
  readonly icon: string;
  /** Paths of operations, also of other plugins, with their parameters. */
  readonly steps: readonly {
    readonly operation: string;
    readonly parameters: Readonly<Record<string, unknown>>;
    /** Fields without a value that suits everybody, such as a password: people fill them in before a run. */
    readonly ask?: readonly string[];
    /** Name of the results without extension, with placeholders: `{{invoice.number}}`. */
    readonly name?: string;
  }[];
}

/** A fact about files that conditions of pipelines compare. */
export interface ShownFact {
  readonly name: string;
  readonly type: 'number' | 'boolean' | 'text';
  /** At most 30 characters: "Number of pages". */
  readonly title: string;
  /** The words that compare it: `is`, `in`, `above`, `below`, `atLeast`, `atMost`. */
  readonly words: readonly string[];
  /** The only file types that have it. */
  readonly kinds?: readonly string[];
  /** The values that it can have, if these are few. */
  readonly values?: readonly string[];
}

/** Answer of `GET /api/v1/console/catalog`. */
export interface ConsoleCatalog {
  readonly version: string;
  /** Most bytes of one call; absent without a limit. */
  readonly uploadBytes?: number;
  readonly categories: readonly ShownCategory[];
  readonly operations: readonly ShownOperation[];
  /** Those whose operations are all loaded. */
  readonly templates: readonly PipelineTemplate[];
  readonly facts: readonly ShownFact[];
}
