import type { CrossingArgument } from './token.js';
import type { Token } from './token.js';
import type { SettingsReader } from './settings-reader.js';
import type {
  ConvertColours,
  ConvertEbook,
  HtmlToPdf,
  OfficeExport,
  OfficeToPdf,
  PageLanguages,
  PdfToPdfA,
  PdfToPdfX,
  RebuildPdf,
  RecognizeText,
  StandardsValidator,
  WebFetch,
} from './document-services.js';
import type { DocumentIndex } from './document-index.js';
import { modelSettings, type LanguageModel } from './language-model.js';
import type { PluginStore } from './plugin-store.js';
import type { PipelineRuns, SavedPipelines } from './pipeline-runs.js';
import type { AccessGrants, ConnectionTrials, ConnectionUses, SavedConnections } from './saved-connections.js';
import type { SharedFiles } from './shared-files.js';
import type { TextEmbeddings } from './text-embeddings.js';
import type { Vault } from './vault.js';
import type { WorkerTasks } from './worker-task.js';

/** Creates a token; the same name always has the same identity. */
export function token<T>(name: string): Token<T> {
  return { symbol: Symbol.for(`quire.${name}`), name };
}

/**
 * Creates a token of a service whose methods operations in workers may also call. `inWorkers` computes members that
 * need no call.
 */
export function crossingToken<T>(
  name: string,
  crossing: { readonly [K in keyof T & string]: readonly CrossingArgument[] },
  callsPerRun?: { readonly [K in keyof T & string]?: number },
): Token<T>;
export function crossingToken<T, L extends keyof T & string>(
  name: string,
  crossing: { readonly [K in Exclude<keyof T & string, L>]: readonly CrossingArgument[] },
  callsPerRun: { readonly [K in keyof T & string]?: number },
  inWorkers: (settings: SettingsReader) => Pick<T, L>,
): Token<T>;
export function crossingToken<T>(
  name: string,
  crossing: Readonly<Record<string, readonly CrossingArgument[]>>,
  callsPerRun?: Readonly<Record<string, number | undefined>>,
  inWorkers?: (settings: SettingsReader) => object,
): Token<T> {
  return {
    ...token<T>(name),
    crossing,
    ...(callsPerRun === undefined ? {} : { callsPerRun: callsPerRun as Readonly<Record<string, number>> }),
    ...(inWorkers === undefined ? {} : { inWorkers }),
  };
}

/** Marks a service as provided by a plugin instead of core. */
export function offeredToken<T>(token: Token<T>): Token<T> {
  return { ...token, offered: true };
}

/** Structured log. Never log file names or contents at info level. */
export interface Logger {
  debug(data: object, message: string): void;
  info(data: object, message: string): void;
  warn(data: object, message: string): void;
  error(data: object, message: string): void;
}

/** The current time; replaceable in tests. */
export interface Clock {
  now(): Date;
}

/** Reports settings that administrators save while the server runs. Available in the server only. */
export interface SavedSettings {
  /**
   * Called after each save with the changed paths and the settings of the next start. The save does not wait for work
   * that the listener starts; the listener must not throw.
   */
  onSaved(listener: (changed: readonly string[], saved: SettingsReader) => void): void;
}

/** Absolute folders in the base folder (`QUIRE_BASE_PATH`). */
export interface BasePaths {
  readonly base: string;
  readonly configs: string;
  readonly customFiles: string;
  readonly pipeline: string;
  readonly store: string;
  readonly tmp: string;
  readonly logs: string;
}

/** A mail message: text, HTML, or both. */
export interface MailMessage {
  /** Addresses without display names. */
  readonly to: string | readonly string[];
  readonly subject: string;
  readonly text?: string;
  readonly html?: string;
  readonly attachments?: readonly {
    readonly name: string;
    readonly mediaType: string;
    readonly path?: string;
    readonly content?: Uint8Array;
  }[];
  /**
   * Includes the mail server's answer in errors. It may repeat addresses and text, so set it only when those are the
   * caller's own.
   */
  readonly tellReason?: boolean;
  /**
   * What the Message-ID has before the `@`: letters, digits, `-` and `_`. Mail programs show a mail that is sent twice
   * with the same one once.
   */
  readonly messageId?: string;
}

/** Sends mail with the server's mail settings. */
export interface Mailer {
  /** True when mail is configured; does not contact the mail server. */
  readonly usable: boolean;
  /**
   * Sends the message; resolves when the mail server has accepted it for every recipient. Rejects with
   * SERVICE_NOT_SET_UP (503) when mail is off, REMOTE_UNREACHABLE (502) when the mail server cannot be reached or
   * rejects the login, MAIL_REFUSED (502) when it rejects the message or a recipient, and CANCELLED. No error contains
   * the password.
   */
  send(message: MailMessage, signal?: AbortSignal): Promise<void>;
}

/** A call to another server. */
export interface OutboundCall {
  readonly url: string;
  /** The form field or setting with the address; error messages name it. */
  readonly field: string;
  /** Name of the other side in error messages; its host name by default. */
  readonly remote?: string;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** Absolute path of a file that is streamed as the body, instead of `body`. */
  readonly bodyFile?: string;
  /**
   * The address is an operator's setting that no caller can influence: it may be any address, including this host. It
   * is called on separate connections, and redirects are not followed.
   */
  readonly ofOperator?: true;
  /**
   * `private`: addresses of this host and of private networks may also be called, because an operator's setting allows
   * this for such calls. With either value the metadata services of clouds stay blocked, even when `outbound.allowed`
   * lists them, and such calls use separate connections.
   */
  readonly reach?: 'public' | 'private';
  /**
   * For the whole exchange: milliseconds (default 5 s), bytes of the answer (10 MiB), and how many redirects a GET
   * follows (none).
   */
  readonly limits?: { readonly timeoutMs?: number; readonly maxBytes?: number; readonly redirects?: number };
  /** `head`: only status and headers count; the call ends with them, whatever body follows, and `body` is empty. */
  readonly wants?: 'head';
}

/** The answer of another server, whatever its status. */
export interface OutboundAnswer {
  /** Final address, after redirects. */
  readonly url: string;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** An answer whose body was written to a file. */
export interface OutboundDownload extends Omit<OutboundAnswer, 'body'> {
  readonly bytes: number;
}

/**
 * Calls other servers over HTTP: addresses outside the public internet are refused unless the operator allows them
 * (`outbound.allowed`); this is checked after every DNS lookup and redirect. Available in the server only. Rejects with
 * ADDRESS_REFUSED (400), REMOTE_UNREACHABLE and REMOTE_ANSWER (502), REMOTE_TIMEOUT (504) and CANCELLED.
 */
export interface Outbound {
  /** Refuses an address that can never be called, without calling it. Throws ADDRESS_REFUSED. */
  check(url: string, field: string, reach?: OutboundCall['reach']): void;
  call(call: OutboundCall, signal?: AbortSignal): Promise<OutboundAnswer>;
  /** Writes the body to a file that must not exist yet. After a failure a partial file may remain. */
  download(call: OutboundCall, target: string, signal?: AbortSignal): Promise<OutboundDownload>;
}

/**
 * Requests timestamps from authorities (RFC 3161) that the operator or the presets allow. Also available in workers.
 * Requests and answers are DER in base64: requests contain only a hash, answers are not verified.
 */
export interface TimeStampAuthority {
  /** Rejects with TSA_NOT_ALLOWED, before anything is sent. An empty address means the default. */
  check(url: string): Promise<void>;
  /** Rejects with TSA_NOT_ALLOWED, ADDRESS_REFUSED, REMOTE_UNREACHABLE, REMOTE_ANSWER, REMOTE_TIMEOUT or CANCELLED. */
  ask(url: string, request: string, signal?: AbortSignal): Promise<string>;
}

/** The trust settings of the server, and the state of its trust sources. */
export interface TrustState {
  readonly mode: 'none' | 'ocsp' | 'crl' | 'ocsp+crl';
  readonly hardFail: boolean;
  /** Whether `fetch` may contact other servers. */
  readonly allowAIA: boolean;
  /** The enabled sources of trust anchors, in order. */
  readonly sources: readonly {
    readonly name: 'server' | 'system' | 'mozilla' | 'aatl' | 'eutl';
    readonly state: 'loading' | 'loaded' | 'failed';
    readonly anchors: number;
  }[];
}

/**
 * The certificates that the server trusts, and its access to revocation data (`security.validation` in the settings).
 * Also available in workers. Certificates, requests and answers are DER in base64. The addresses to fetch come from
 * certificates, so they are untrusted: answers are not verified, and are limited in size, time and number.
 */
export interface CertificateTrust {
  state(): Promise<TrustState>;
  /**
   * The anchors with these subjects (`nameKeyOf` of `@quire/document/certification-path`; at most 1000). Waits a short
   * time for sources that are still loading.
   */
  anchors(nameKeys: readonly string[]): Promise<readonly string[]>;
  /**
   * Certificates of an issuer, a revocation list, or the answer to an OCSP request. Null when it is not available:
   * `allowAIA` is off, the address must not be called, no answer, too late, too large, or a status other than 200.
   * Rejects with CANCELLED, and with INPUT_INVALID for an invalid call.
   */
  fetch(
    kind: 'issuers' | 'ocsp' | 'crl',
    url: string,
    request: string | null,
    signal?: AbortSignal,
  ): Promise<string | null>;
}

/**
 * Reports when a user name no longer belongs to its user, so that data stored under the name does not pass to the next
 * user with it. Available in the server only; reports nothing while login is off.
 */
export interface UserNames {
  /**
   * The call that caused the change waits for the listener, which must not reject. `now` is the user's new name;
   * undefined when the account was deleted.
   */
  onFreed(listener: (name: string, now: string | undefined) => Promise<void>): void;
}

/** Reports which teams exist. Available in the server only. */
export interface Teams {
  /** Returns whether the team exists and can have members; false while login is off. */
  exists(id: string): Promise<boolean>;
}

/** A certificate with its issuers: DER in base64. */
export interface CertificateChain {
  readonly certificate: string;
  /** Nearest issuer first. */
  readonly chain: readonly string[];
}

/** How a signature is created: type of key and digest. */
export interface KeystoreScheme {
  readonly family: 'rsa' | 'rsa-pss' | 'ecdsa' | 'dsa' | 'eddsa';
  readonly digest: 'sha256' | 'sha384' | 'sha512';
}

/**
 * The server's own key and certificate, as they were when it started (`docs/interface/signing.yml`, serverCertificate):
 * an upload or generation takes effect at the next start, a deletion at once. Also available in workers; the key never
 * leaves the server. Every method rejects with SERVER_CERTIFICATE_ABSENT, SERVER_CERTIFICATE_DISABLED or
 * SERVER_CERTIFICATE_MISSING (400), or SERVICE_NOT_SET_UP when the keystore cannot be read.
 */
export interface ServerKeystore {
  certificates(): Promise<CertificateChain>;
  /**
   * Signs at most 64 KiB, given in base64, as signed attributes are signed (RFC 5652, 5.4); returns the signature in
   * base64. CONTRACT_BROKEN for a scheme that the key does not support.
   */
  sign(data: string, scheme: KeystoreScheme): Promise<string>;
}

/**
 * The services of core, and those that plugins offer to each other. An operation lists those it uses in
 * `needs.services`.
 */
export const tokens = {
  logger: token<Logger>('logger'),
  clock: token<Clock>('clock'),
  settings: token<SettingsReader>('settings'),
  savedSettings: token<SavedSettings>('savedSettings'),
  paths: token<BasePaths>('paths'),
  outbound: token<Outbound>('outbound'),
  userNames: token<UserNames>('userNames'),
  teams: token<Teams>('teams'),
  sharedFiles: token<SharedFiles>('sharedFiles'),
  pluginStore: token<PluginStore>('pluginStore'),
  vault: token<Vault>('vault'),
  timeStampAuthority: crossingToken<TimeStampAuthority>('timeStampAuthority', {
    check: ['value'],
    ask: ['value', 'value', 'signal'],
  }),
  certificateTrust: crossingToken<CertificateTrust>(
    'certificateTrust',
    { state: [], anchors: ['value'], fetch: ['value', 'value', 'value', 'signal'] },
    { anchors: 2000, fetch: 64 },
  ),
  officeToPdf: token<OfficeToPdf>('officeToPdf'),
  officeExport: crossingToken<OfficeExport>('officeExport', { convert: ['value', 'input', 'output', 'signal'] }),
  webFetch: crossingToken<WebFetch>('webFetch', { get: ['value', 'value', 'output', 'signal'] }, { get: 400 }),
  htmlToPdf: crossingToken<HtmlToPdf>('htmlToPdf', { print: ['input', 'output', 'value', 'signal'] }),
  pdfToPdfA: crossingToken<PdfToPdfA>('pdfToPdfA', { convert: ['value', 'input', 'output', 'signal'] }),
  pdfToPdfX: crossingToken<PdfToPdfX>('pdfToPdfX', { draw: ['input', 'output', 'signal'] }),
  pageLanguages: crossingToken<PageLanguages>('pageLanguages', {
    fromPdf: ['value', 'input', 'output', 'signal'],
    toPdf: ['value', 'input', 'output', 'signal'],
  }),
  convertEbook: crossingToken<ConvertEbook>('convertEbook', { toAzw3: ['input', 'output', 'signal'] }),
  convertColours: crossingToken<ConvertColours>('convertColours', { toCmyk: ['input', 'output', 'signal'] }),
  standardsValidator: crossingToken<StandardsValidator>('standardsValidator', { validate: ['input', 'signal'] }),
  mailer: token<Mailer>('mailer'),
  serverKeystore: offeredToken(
    crossingToken<ServerKeystore>('serverKeystore', { certificates: [], sign: ['value', 'value'] }),
  ),
  languageModel: offeredToken(
    crossingToken<LanguageModel, 'usable' | 'limits'>(
      'languageModel',
      { ask: ['value', 'signal', 'caller'] },
      { ask: 200 },
      modelSettings,
    ),
  ),
  textEmbeddings: offeredToken(token<TextEmbeddings>('textEmbeddings')),
  documentIndex: offeredToken(
    crossingToken<DocumentIndex>(
      'documentIndex',
      {
        replace: ['value', 'input', 'caller', 'signal'],
        search: ['value', 'caller', 'signal'],
        remove: ['value', 'caller'],
      },
      { replace: 20, search: 50, remove: 20 },
    ),
  ),
  recognizeText: crossingToken<RecognizeText>('recognizeText', {
    offer: [],
    words: ['input', 'output', 'value', 'signal'],
    layer: ['input', 'output', 'output', 'value', 'signal'],
  }),
  workerTasks: token<WorkerTasks>('workerTasks'),
  pipelineRuns: token<PipelineRuns>('pipelineRuns'),
  savedPipelines: token<SavedPipelines>('savedPipelines'),
  savedConnections: offeredToken(token<SavedConnections>('savedConnections')),
  accessGrants: token<AccessGrants>('accessGrants'),
  connectionUses: token<ConnectionUses>('connectionUses'),
  connectionTrials: token<ConnectionTrials>('connectionTrials'),
  rebuildPdf: crossingToken<RebuildPdf>('rebuildPdf', {
    available: [],
    rebuild: ['value', 'input', 'output', 'signal'],
  }),
} as const;
