import type Joi from 'joi';
import type { InputCode } from '../errors/table.js';
import type { ConcreteKind, FileKind } from './file-kinds.js';
import type { DocumentFile, JsonResult, OutputFile, RunContext } from './run-context.js';
import type { Token } from './token.js';

/** The host's Joi, handed in: plugins never import their own (two versions of Joi refuse to mix). */
export type JoiRoot = Joi.Root;

/** A condition on parameters, as data: always, or every named field has (one of) the given value(s). */
export type When =
  'always' | Readonly<Record<string, string | number | boolean | readonly (string | number | boolean)[]>>;

/** A second file field beside `fileInput`. */
export interface PartSpec {
  readonly field: string;
  readonly description: string;
  readonly kinds: readonly FileKind[];
  /** When it must be sent; never required when absent. A pipeline refuses a step for which this holds. */
  readonly requiredWhen?: When;
  /** True when the field may be repeated. */
  readonly many?: boolean;
  /** True when an empty file counts as none; by default it is refused. */
  readonly mayBeEmpty?: true;
}

/**
 * What an operation does to a document beyond its purpose. `breaksSignature` is never declared: it follows from
 * `writes` (`effectsOf`).
 */
export type Effect = 'breaksSignature' | 'lossy' | 'rasterises' | 'dropsText' | 'needsNetwork' | 'nondeterministic';

/**
 * How an operation that makes PDFs of PDFs writes them.
 * - `append`: it only adds or changes, so its changes may stand behind the input's untouched bytes (an incremental
 *   update, ISO 32000-1,
 *   7.5.6) and signatures stay valid. The context's `writing` says whether this run may; when it says `rewrite`, every
 *   byte is rewritten.
 * - `rewrite`: it removes or hides something, so every byte is rewritten and no earlier revision stays in the file.
 * - `assemble`: it makes a new document of pages of its inputs.
 */
export type WriteMode = 'append' | 'rewrite' | 'assemble';

/**
 * The kind of the result: fixed, that of the input, any (each file's own, told by its first bytes and its name), or
 * chosen by a parameter's value.
 */
export type ReturnKind =
  ConcreteKind | 'same' | 'any' | { readonly by: string; readonly map: Readonly<Record<string, ConcreteKind>> };

/**
 * Page count of the result: as many as went in (all inputs together), anything, or a function of the inputs' counts.
 */
export type PageRule<P> = 'same' | 'any' | ((inputPages: readonly number[], params: P) => number);

/**
 * How an operation that may give several files answers a direct call. In a pipeline and in a job the files stay single.
 */
export interface ManyFiles {
  /** Template of the zip's name. */
  readonly archive: string;
  /** Parameters with which there is a zip at all. */
  readonly when?: When;
  /** `onDemand` keeps the zip whole in a pipeline unless the next step takes its members. */
  readonly unpack?: 'always' | 'onDemand';
  /** One file is answered as it is (`file`) or in a zip of its own (`zip`, default). */
  readonly single?: 'file' | 'zip';
  /** `zip`: the operation may find nothing, which is an answer too: an empty zip. In a pipeline the input leaves. */
  readonly none?: 'zip';
}

/**
 * A file answer. Names are templates: `{base}` (input name without extension), `{input}` (the whole of it), `{n}`
 * (1-based), `{<parameter>}`. The kind adds the extension.
 */
export interface FileReturns<P> {
  readonly kind: ReturnKind;
  readonly name: string;
  /** Another template of the name, with the parameters for which it holds. */
  readonly nameWhen?: { readonly when: When; readonly name: string };
  /** Template of the extension where the kind's own is not wanted (`{imageFormat}`). */
  readonly extension?: string;
  /**
   * Media type of a direct answer, of all kinds or of some, where existing clients expect another than the kind's own,
   * which a client gets by naming it in `Accept`.
   */
  readonly mediaType?: string | Readonly<Partial<Record<ConcreteKind, string>>>;
  /** Several files: core makes a zip of this name. */
  readonly many?: ManyFiles;
  /**
   * Kinds of files that it may give beside those of `kind` (`OutputPart.kind`): the text of a document beside the
   * document.
   */
  readonly also?: readonly ConcreteKind[];
  /** The operation may give no file at all: 204 on a direct call, the file leaves a pipeline. */
  readonly mayDrop?: boolean;
  /** Of `same`: it hands its input on byte for byte, under another name at most. Core holds it to that. */
  readonly unchanged?: true;
  /** Of a JSON file: what it holds, for the documentation. */
  readonly holds?: (joi: JoiRoot) => Joi.Schema;
  readonly pages?: PageRule<P>;
}

/**
 * A JSON answer. A label (`joi.object({ … }).label('Bookmark')`) is the name of the schema in the documentation, and so
 * of the class in generated clients; what holds itself is told by `.id('Bookmark').label('Bookmark')` and
 * `joi.link('#Bookmark')` inside.
 */
export interface JsonReturns {
  readonly json: (joi: JoiRoot) => Joi.Schema;
}

/** One example: documentation, OpenAPI and test in one. Files are names in the plugin's `fixtures/`. */
export interface Example<P> {
  readonly title: string;
  readonly files: readonly string[];
  readonly parts?: Readonly<Record<string, string>>;
  readonly params: Partial<P>;
  readonly expect: {
    /** Page count of each PDF output. */
    readonly pages?: readonly number[];
    /** Names of the outputs (zip members for several). */
    readonly names?: readonly string[];
    /** The operation drops the file (204). */
    readonly dropped?: true;
    /** Refused with this code. */
    readonly refused?: InputCode;
    /** Members that the JSON answer must hold. */
    readonly json?: Readonly<Record<string, unknown>>;
  };
}

/** Names of the parameters that hold passwords of documents. */
export interface PasswordFields {
  /** Opens the inputs; empty or absent tries without. */
  readonly input?: string;
  /**
   * Opens the results, which without it must stay closed (in a worker core proves that, too); empty or absent for
   * results that anybody opens.
   */
  readonly result?: string;
}

/** Who may call, and what it costs. Defaults: user, no login, free licence, any hosting, cost 1 (of endpoints 0). */
export interface Access {
  /** `public` needs no key even with login on. */
  readonly role?: 'public' | 'user' | 'admin';
  /** Exists only while login is on. */
  readonly needsLogin?: boolean;
  /**
   * Settings that must be true (`security.enableLogin`); otherwise 403 FEATURE_OFF names the first that is not, after
   * the caller is known and before a byte of the body is read.
   */
  readonly needsSettings?: readonly string[];
  readonly licence?: 'free' | 'team' | 'enterprise';
  /**
   * What a server below the licence answers: 404 as if there were nothing, or 403 saying why. Default: 404 self-hosted,
   * 402 on the cloud; 403 is 402 there too.
   */
  readonly licenceRefusal?: 404 | 403;
  readonly hosting?: 'any' | 'selfHosted' | 'cloud';
  readonly cost?: number;
}

/** Ceilings of one run; settings may lower or raise them per operation. */
export interface RunLimits {
  readonly timeoutMs?: number;
  readonly maxPages?: number;
  readonly maxBytes?: number;
  readonly concurrency?: number;
}

interface OperationBase<P> {
  /** The one identity: URL is `/api/v1/` + path. */
  readonly path: string;
  readonly since: string;
  readonly deprecated?: { readonly since: string; readonly removeIn: string; readonly use?: string };
  /** At most 60 characters, verb first, no full stop. */
  readonly summary: string;
  /**
   * Words that people type when they look for this operation and that its path and summary do not contain, in lower
   * case (`shrink`, `docx`). Search, documentation and OpenAPI (`x-keywords`) use them.
   */
  readonly keywords?: readonly string[];
  /** Markdown. */
  readonly notes?: string;
  /** Empty for one of `files: 'all'` that takes no document: its `run` gets none, and it is no step of pipelines. */
  readonly accepts: readonly FileKind[];
  /**
   * `checked` (default): every PDF is opened first, so damaged, locked or too long ones are refused alike. `raw`: the
   * operation looks for itself.
   */
  readonly input?: 'checked' | 'raw';
  /**
   * Other names of `fileInput` under which existing clients send the document; `fileInput` wins where both are sent.
   */
  readonly fileAliases?: readonly string[];
  readonly parts?: readonly PartSpec[];
  readonly returns: FileReturns<P> | JsonReturns;
  /**
   * Needed where `accepts` names pdf and the result is a PDF; nothing that answers pictures, JSON or the file as it
   * came has it.
   */
  readonly writes?: WriteMode;
  /**
   * Of an appending operation: the parameters with which it removes or hides something after all, so that it rewrites;
   * of several conditions, any.
   */
  readonly rewritesWhen?: When | readonly When[];
  /**
   * Of an appending operation: which changes a certification must allow for it (DocMDP, ISO 32000-2, table 257): 1 when
   * even one that allows none lets it be (time stamps), 2 for filling in and signing, 3 for annotations. Absent: it
   * changes more than any certification allows, so certified files are refused.
   */
  readonly certified?: 1 | 2 | 3;
  /**
   * `allowed`: takes signed files although it breaks their signatures, because that is what it is asked for (removing
   * them, saving what is damaged).
   */
  readonly signedInput?: 'allowed';
  readonly effects?: readonly Exclude<Effect, 'breaksSignature'>[];
  /**
   * Of an operation that opens locked documents or locks them: where it finds the passwords. Core opens its inputs and
   * checks its results with them.
   */
  readonly passwords?: PasswordFields;
  /** Other names of fields, as exported automations send them. */
  readonly aliases?: Readonly<Record<string, string>>;
  readonly params: (joi: JoiRoot) => Joi.ObjectSchema<P>;
  readonly needs?: { readonly programs?: readonly string[]; readonly services?: readonly Token<unknown>[] };
  /** `worker` (default): a child process. `host`: only for work that waits (programs, network, stores). */
  readonly runsIn?: 'worker' | 'host';
  readonly limits?: RunLimits;
  readonly access?: Access;
  /** False forbids it as a pipeline step. */
  readonly pipeline?: boolean;
  readonly job?: { readonly async?: boolean; readonly attempts?: number };
  /** What it may refuse with, beyond the codes every operation has (`commonCodes`). */
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

/** A tool: data first, one `run` last. */
export type Operation<P = never> = EachOperation<P> | AllOperation<P>;
/** An operation whose parameter type is not known here. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the catalogue holds operations of every parameter
// type; Joi has checked the values before `run` sees them
export type AnyOperation = EachOperation<any> | AllOperation<any>;

/** Declares an operation. Gives back a frozen value; nothing is registered by calling it. */
export function defineOperation<P>(operation: EachOperation<P>): EachOperation<P>;
export function defineOperation<P>(operation: AllOperation<P>): AllOperation<P>;
export function defineOperation<P>(operation: EachOperation<P> | AllOperation<P>): EachOperation<P> | AllOperation<P> {
  return Object.freeze(operation);
}

/** The names of the part that holds the document, the one that wins first. */
export function inputFields({ fileAliases = [] }: Pick<AnyOperation, 'fileAliases'>): readonly string[] {
  return ['fileInput', ...fileAliases];
}

/** True when the condition holds for these parameters. */
export function holds(when: When | undefined, params: Readonly<Record<string, unknown>>): boolean {
  if (when === undefined) return false;
  if (when === 'always') return true;
  return Object.entries(when).every(([field, wanted]) =>
    Array.isArray(wanted) ? wanted.includes(params[field]) : params[field] === wanted,
  );
}

/** What an operation says of its files, or undefined when it answers JSON. */
export function fileReturns(operation: AnyOperation): FileReturns<never> | undefined {
  return 'json' in operation.returns ? undefined : (operation.returns as FileReturns<never>);
}

/** The media type that an operation declares for results of this kind; undefined for the kind's own. */
export function declaredMediaType(operation: AnyOperation, kind: ConcreteKind): string | undefined {
  const mediaType = fileReturns(operation)?.mediaType;
  return typeof mediaType === 'object' ? mediaType[kind] : mediaType;
}

/**
 * Everything that an operation may do to a document beyond its purpose: what it declares, and `breaksSignature` where
 * it never appends.
 */
export function effectsOf({ effects = [], writes }: AnyOperation): readonly Effect[] {
  return writes === 'rewrite' || writes === 'assemble' ? [...effects, 'breaksSignature'] : effects;
}

/** The passwords of inputs and of results that were sent with these parameters; an empty one was not. */
export function passwordsOf(
  { passwords = {} }: Pick<AnyOperation, 'passwords'>,
  params: Readonly<Record<string, unknown>>,
): { readonly input?: string; readonly result?: string } {
  const given = (field: string | undefined): string => String((field === undefined ? undefined : params[field]) ?? '');
  const [input, result] = [given(passwords.input), given(passwords.result)];
  return { ...(input === '' ? {} : { input }), ...(result === '' ? {} : { result }) };
}

/** The conditions of which any makes an appending operation rewrite. */
export function rewriteConditions({ rewritesWhen = [] }: Pick<AnyOperation, 'rewritesWhen'>): readonly When[] {
  return Array.isArray(rewritesWhen) ? (rewritesWhen as readonly When[]) : [rewritesWhen as When];
}

/** The operation as it writes with these parameters. */
export function writingWith<O extends AnyOperation>(operation: O, params: Readonly<Record<string, unknown>>): O {
  return operation.writes === 'append' && rewriteConditions(operation).some((when) => holds(when, params))
    ? { ...operation, writes: 'rewrite' }
    : operation;
}

/**
 * True when the operation may make a PDF. One that hands its input on or drops it (`same` with `mayDrop` or
 * `unchanged`) makes none.
 */
export function returnsPdf(operation: AnyOperation): boolean {
  const returns = fileReturns(operation);
  const kind = returns?.kind;
  if (kind === 'same') return returns?.mayDrop !== true && returns?.unchanged !== true;
  return kind === 'pdf' || (typeof kind === 'object' && Object.values(kind?.map ?? {}).includes('pdf'));
}

/** True when the answer is JSON and not a file. */
export function returnsJson(operation: AnyOperation): operation is AnyOperation & { returns: JsonReturns } {
  return 'json' in operation.returns;
}
