import type { Access } from './access.js';
import type Joi from 'joi';
import type { InputCode } from '../errors/table.js';
import type { ConcreteKind, FileKind } from './file-kinds.js';
import type { FieldGroup, OperationScreen } from './presentation.js';
import type { DocumentFile, JsonResult, OutputFile, RunContext } from './run-context.js';
import type { Token } from './token.js';
import type { When } from './when.js';

/**
 * The host's Joi, passed in: plugins never import their own, because schemas of two versions of Joi cannot be mixed.
 */
export type JoiRoot = Joi.Root;

/** An additional file field next to `fileInput`. */
export interface PartSpec {
  readonly field: string;
  readonly description: string;
  readonly kinds: readonly FileKind[];
  /** When it must be sent; never required when absent. A pipeline rejects a step for which this holds. */
  readonly requiredWhen?: When;
  /** Shown to people: at most 40 characters, without a full stop. Default: the words of the field's name. */
  readonly label?: string;
  /** Shown to people only while this holds; default `requiredWhen`, unless that is `always`. */
  readonly when?: When;
  /** How people can make the file instead of choosing one: a signature that they draw or type, as PNG. */
  readonly widget?: 'signature';
  /** True when the field may be repeated. */
  readonly many?: boolean;
  /** True when an empty file counts as absent; by default it is rejected. */
  readonly mayBeEmpty?: true;
}

/**
 * Side effects of an operation on a document. `breaksSignature` is never declared: it follows from `writes`
 * (`effectsOf`).
 */
export type Effect = 'breaksSignature' | 'lossy' | 'rasterises' | 'dropsText' | 'needsNetwork' | 'nondeterministic';

/**
 * How an operation that turns PDFs into PDFs writes them.
 * - `append`: it only adds or changes content, so its changes can follow the input's unchanged bytes (an incremental
 *   update, ISO 32000-1, 7.5.6) and the signed bytes stay. The context's `writing` says whether this run may append;
 *   when it is `rewrite`, every byte is rewritten.
 * - `rewrite`: it removes or hides content, so every byte is rewritten and no earlier revision stays in the file.
 * - `assemble`: it creates a new document from pages of its inputs.
 */
export type WriteMode = 'append' | 'rewrite' | 'assemble';

/**
 * The file type of the result: fixed, that of the input, any (detected for each file by its first bytes and its name),
 * or chosen by a parameter's value.
 */
export type ReturnKind =
  | ConcreteKind
  | 'same'
  | 'any'
  | { readonly by: string; readonly map: Readonly<Record<string, ConcreteKind>> };

/** Page count of the result: the sum of all inputs, anything, or a function of the inputs' counts. */
export type PageRule<P> = 'same' | 'any' | ((inputPages: readonly number[], params: P) => number);

/**
 * How an operation that can return several files answers a direct call. In pipelines and jobs the files stay separate.
 */
export interface ManyFiles {
  /** Template of the zip's name. */
  readonly archive: string;
  /** Parameters for which the result is a zip. */
  readonly when?: When;
  /** `onDemand` keeps the zip whole in a pipeline unless the next step accepts its entries. */
  readonly unpack?: 'always' | 'onDemand';
  /** A single result is returned as it is (`file`) or in a zip (`zip`, default). */
  readonly single?: 'file' | 'zip';
  /** `zip`: finding nothing is a valid result, returned as an empty zip. In a pipeline the input is dropped. */
  readonly none?: 'zip';
}

/**
 * A file answer. Names are templates: `{base}` (input name without extension), `{input}` (the whole name), `{n}`
 * (1-based), `{<parameter>}`. The file type adds the extension.
 */
export interface FileReturns<P> {
  readonly kind: ReturnKind;
  readonly name: string;
  /** Another name template, with the parameters for which it applies. */
  readonly nameWhen?: { readonly when: When; readonly name: string };
  /** Template of the extension, where it is not that of the file type (`{imageFormat}`). */
  readonly extension?: string;
  /**
   * Media type of a direct answer, for all file types or some, where existing clients expect another than the type's
   * own. A client gets the type's own by naming it in `Accept`.
   */
  readonly mediaType?: string | Readonly<Partial<Record<ConcreteKind, string>>>;
  /** For several files: the server builds a zip with this name. */
  readonly many?: ManyFiles;
  /**
   * File types that it may return in addition to `kind` (`OutputPart.kind`): for example the text of a document next to
   * the document.
   */
  readonly also?: readonly ConcreteKind[];
  /** The operation may return no file at all: 204 on a direct call, the file is dropped in a pipeline. */
  readonly mayDrop?: boolean;
  /** With `same`: it returns its input byte for byte, at most under another name. Core verifies this. */
  readonly unchanged?: true;
  /** For a JSON file: the schema of its content, for the documentation. */
  readonly holds?: (joi: JoiRoot) => Joi.Schema;
  readonly pages?: PageRule<P>;
}

/**
 * A JSON answer. A label (`joi.object({ … }).label('Bookmark')`) is the name of the schema in the documentation and of
 * the class in generated clients. A recursive schema needs `.id('Bookmark').label('Bookmark')` and
 * `joi.link('#Bookmark')` inside.
 */
export interface JsonReturns {
  readonly json: (joi: JoiRoot) => Joi.Schema;
}

/** An example that serves as documentation, OpenAPI example and test. Files are names in the plugin's `fixtures/`. */
export interface Example<P> {
  readonly title: string;
  readonly files: readonly string[];
  readonly parts?: Readonly<Record<string, string>>;
  readonly params: Partial<P>;
  readonly expect: {
    /** Page count of each PDF output. */
    readonly pages?: readonly number[];
    /** Names of the outputs (zip entries for several). */
    readonly names?: readonly string[];
    /** The operation drops the file (204). */
    readonly dropped?: true;
    /** The call is refused with this code. */
    readonly refused?: InputCode;
    /** Members that the JSON answer must contain. */
    readonly json?: Readonly<Record<string, unknown>>;
  };
}

/** Names of the parameters that hold passwords of documents. */
export interface PasswordFields {
  /** Opens the inputs; when empty or absent they are opened without one. */
  readonly input?: string;
  /**
   * Opens the results, which must not open without it (in a worker, core verifies this); empty or absent for results
   * without a password.
   */
  readonly result?: string;
}

/** Limits of one run; settings may lower or raise them per operation. */
export interface RunLimits {
  readonly timeoutMs?: number;
  readonly maxPages?: number;
  readonly maxBytes?: number;
  readonly concurrency?: number;
}

/** Marks an operation that will be removed, at the earliest two minor versions after `since`. */
export interface Deprecation {
  /** Version of the plugin that deprecated it. */
  readonly since: string;
  /** Day of that version, `YYYY-MM-DD`; sent as the `Deprecation` header of every answer (RFC 9745). */
  readonly date?: string;
  readonly removeIn: string;
  /** Path of the operation to use instead. */
  readonly use?: string;
}

interface OperationBase<P> {
  /** The identity of the operation; its URL is `/api/v1/` + path. */
  readonly path: string;
  /**
   * Name in generated clients, and OpenAPI operationId: a verb phrase in camel case (`convertPdfToImages`), unique.
   * Default: the words of the path after the category (`general/rotate-pdf` → `rotatePdf`).
   */
  readonly name?: string;
  readonly since: string;
  readonly deprecated?: Deprecation;
  /** At most 60 characters, verb first, no full stop. */
  readonly summary: string;
  /**
   * Shown to people in menus: at most 30 characters, verb first, sentence case ("Rotate pages"). Default: the summary
   * where it is as short, or the words of the path.
   */
  readonly title?: string;
  /** Name of a Lucide icon (`rotate-cw`), or an SVG path of a 24 by 24 grid that starts with `M`. */
  readonly icon?: string;
  /** Place within its category; smaller is earlier, default 100. Equal ones are sorted by title. */
  readonly order?: number;
  /** Screen of the console that does the same with the pages in view; the tool offers to open its files there. */
  readonly screen?: OperationScreen;
  /** Groups of fields that are shown under a common title; a field names its group in its `shown`. */
  readonly groups?: readonly FieldGroup[];
  /**
   * Search terms for this operation that its path and summary do not contain, in lower case (`shrink`, `docx`). Used by
   * search, documentation and OpenAPI (`x-keywords`).
   */
  readonly keywords?: readonly string[];
  /** Markdown. */
  readonly notes?: string;
  /**
   * Empty with `files: 'all'` for an operation without an input document: its `run` gets no file, and it cannot be a
   * pipeline step.
   */
  readonly accepts: readonly FileKind[];
  /**
   * `checked` (default): every PDF is opened first, so that damaged, encrypted or too long ones are rejected the same
   * way. `raw`: the operation checks its input; the server only looks for signatures and damage.
   */
  readonly input?: 'checked' | 'raw';
  /**
   * `allowed`: with `input: 'raw'`, damage of the input is what the operation is for (repairing it, showing it), so
   * that the server neither announces it nor refuses it under `handling=strict`.
   */
  readonly damagedInput?: 'allowed';
  /** Aliases of `fileInput` under which existing clients send the document; `fileInput` takes precedence. */
  readonly fileAliases?: readonly string[];
  readonly parts?: readonly PartSpec[];
  readonly returns: FileReturns<P> | JsonReturns;
  /**
   * Required where `accepts` has pdf and the result is a PDF; not allowed for operations that return images, JSON or
   * the unchanged file.
   */
  readonly writes?: WriteMode;
  /**
   * With `writes: 'append'`: the parameters for which it removes or hides content and so rewrites the file; of several
   * conditions, any.
   */
  readonly rewritesWhen?: When | readonly When[];
  /**
   * With `writes: 'append'`: the changes that a certification must allow for it (DocMDP, ISO 32000-2, table 257): 1
   * when it is allowed even under a certification that permits no changes (timestamps), 2 for filling in and signing, 3
   * for annotations. Absent: it changes more than any certification allows, so certified files are refused.
   */
  readonly certified?: 1 | 2 | 3;
  /**
   * `allowed`: accepts signed files although it breaks their signatures, because that is its purpose (removing them,
   * repairing damaged files).
   */
  readonly signedInput?: 'allowed';
  /**
   * The purpose of the operation is to set or remove the metadata of its results, so the server does not put its own
   * there (`premium.proFeatures.customMetadata`): always, or for these parameters; of several conditions, any.
   */
  readonly setsMetadata?: When | readonly When[];
  readonly effects?: readonly Exclude<Effect, 'breaksSignature'>[];
  /**
   * For an operation that decrypts or encrypts documents: the fields with the passwords. Core opens its inputs and
   * checks its results with them.
   */
  readonly passwords?: PasswordFields;
  /** Aliases of fields, as exported automations send them. */
  readonly aliases?: Readonly<Record<string, string>>;
  readonly params: (joi: JoiRoot) => Joi.ObjectSchema<P>;
  readonly needs?: {
    readonly programs?: readonly string[];
    readonly services?: readonly Token<unknown>[];
    /**
     * Settings that must be true or not empty for its service to be set up (`mail.enabled`): people are shown which are
     * not. A call is refused by the service itself (SERVICE_NOT_SET_UP).
     */
    readonly settings?: readonly string[];
  };
  /** `worker` (default): a child process. `host`: only for work that waits (programs, network, stores). */
  readonly runsIn?: 'worker' | 'host';
  readonly limits?: RunLimits;
  readonly access?: Access;
  /** False forbids it as a pipeline step. */
  readonly pipeline?: boolean;
  readonly job?: { readonly async?: boolean; readonly attempts?: number };
  /** Error codes of the operation, in addition to those of every operation (`commonCodes`). */
  readonly errors: readonly InputCode[];
  readonly examples: readonly [Example<P>, ...Example<P>[]];
}

/** Runs once per file. */
export interface EachOperation<P> extends OperationBase<P> {
  readonly files: 'each';
  readonly run: (
    file: DocumentFile,
    params: Readonly<P>,
    ctx: RunContext,
  ) => Promise<readonly OutputFile[] | JsonResult>;
}

/** Runs once with all files. */
export interface AllOperation<P> extends OperationBase<P> {
  readonly files: 'all';
  readonly run: (
    files: readonly DocumentFile[],
    params: Readonly<P>,
    ctx: RunContext,
  ) => Promise<readonly OutputFile[] | JsonResult>;
}

/** An operation: data and one `run` function. */
export type Operation<P = never> = EachOperation<P> | AllOperation<P>;
/**
 * An operation whose parameter type is not known here: the catalogue holds operations of every parameter type, and Joi
 * has checked the values before `run` receives them.
 */
export type AnyOperation = EachOperation<any> | AllOperation<any>;

/** Declares an operation. Returns a frozen value; calling it registers nothing. */
export function defineOperation<P>(operation: EachOperation<P>): EachOperation<P>;
export function defineOperation<P>(operation: AllOperation<P>): AllOperation<P>;
export function defineOperation<P>(operation: EachOperation<P> | AllOperation<P>): EachOperation<P> | AllOperation<P> {
  return Object.freeze(operation);
}

/** The names of the form field with the document, in order of precedence. */
export function inputFields({ fileAliases = [] }: Pick<AnyOperation, 'fileAliases'>): readonly string[] {
  return ['fileInput', ...fileAliases];
}

/** The file answer of an operation, or undefined when it answers JSON. */
export function fileReturns(operation: AnyOperation): FileReturns<never> | undefined {
  return 'json' in operation.returns ? undefined : (operation.returns as FileReturns<never>);
}

/** The media type that an operation declares for results of this type; undefined for the type's own. */
export function declaredMediaType(operation: AnyOperation, kind: ConcreteKind): string | undefined {
  const mediaType = fileReturns(operation)?.mediaType;
  return typeof mediaType === 'object' ? mediaType[kind] : mediaType;
}

/** All side effects of an operation: the declared ones, and `breaksSignature` when it never appends. */
export function effectsOf({ effects = [], writes }: AnyOperation): readonly Effect[] {
  return writes === 'rewrite' || writes === 'assemble' ? [...effects, 'breaksSignature'] : effects;
}

/** The passwords of inputs and of results in these parameters; empty ones count as absent. */
export function passwordsOf(
  { passwords = {} }: Pick<AnyOperation, 'passwords'>,
  params: Readonly<Record<string, unknown>>,
): { readonly input?: string; readonly result?: string } {
  const given = (field: string | undefined): string => String((field === undefined ? undefined : params[field]) ?? '');
  const [input, result] = [given(passwords.input), given(passwords.result)];
  return { ...(input === '' ? {} : { input }), ...(result === '' ? {} : { result }) };
}

/**
 * Returns whether the operation may create a PDF. One that passes its input on or drops it (`same` with `mayDrop` or
 * `unchanged`) does not.
 */
export function returnsPdf(operation: AnyOperation): boolean {
  const returns = fileReturns(operation);
  const kind = returns?.kind;
  if (kind === 'same') return returns?.mayDrop !== true && returns?.unchanged !== true;
  return kind === 'pdf' || (typeof kind === 'object' && Object.values(kind?.map ?? {}).includes('pdf'));
}

/** Returns whether the answer is JSON and not a file. */
export function returnsJson(operation: AnyOperation): operation is AnyOperation & { returns: JsonReturns } {
  return 'json' in operation.returns;
}
