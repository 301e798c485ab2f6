import { type CrossingArgument } from './token.js';
import { type Token } from './token.js';
import { type SettingsReader } from './settings-reader.js';
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
import type { SharedFiles } from './shared-files.js';
import type { TextEmbeddings } from './text-embeddings.js';
import type { Vault } from './vault.js';
import type { WorkerTasks } from './worker-task.js';

/** Makes a token; the same name always gives the same identity. */
export function token<T>(name: string): Token<T> {
  return { symbol: Symbol.for(`quire.${name}`), name };
}

/**
 * Makes a token of a service whose methods worker operations may call as well. Members that need no call are made by
 * `inWorkers`.
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

/** The same service, given by a plugin and not by core. */
export function offeredToken<T>(token: Token<T>): Token<T> {
  return { ...token, offered: true };
}

/** Structured log; never give it file names or contents at info level. */
export interface Logger {
  debug(data: object, message: string): void;
  info(data: object, message: string): void;
  warn(data: object, message: string): void;
  error(data: object, message: string): void;
}

/** Time, so that tests can turn it. */
export interface Clock {
  now(): Date;
}

/** Tells of settings that administrators save while the server runs. Of the server alone. */
export interface SavedSettings {
  /**
   * Told after each save with the paths that changed and with the settings as the next start will find them. The save
   * does not wait for what the listener begins; it must not throw.
   */
  onSaved(listener: (changed: readonly string[], saved: SettingsReader) => void): void;
}

/** Absolute folders under the base path (`QUIRE_BASE_PATH`). */
export interface BasePaths {
  readonly base: string;
  readonly configs: string;
  readonly customFiles: string;
  readonly pipeline: string;
  readonly store: string;
  readonly tmp: string;
  readonly logs: string;
}

/** A message that is sent by mail: as text, as HTML, or as both. */
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
   * Says in errors what the mail server answered, which may repeat addresses and text: only where those are the
   * caller's own.
   */
  readonly tellReason?: boolean;
}

/** Sends mail as the server's settings say. */
export interface Mailer {
  /** True when the settings say how; nothing was tried yet. */
  readonly usable: boolean;
  /**
   * Hands the message to the mail server; resolves when that has taken it for every recipient. Rejects with
   * SERVICE_NOT_SET_UP (503) when mail is off, REMOTE_UNREACHABLE (502) when the mail server cannot be reached or does
   * not let this server in, MAIL_REFUSED (502) when it does not take the message or a recipient, and CANCELLED. None
   * tells the password.
   */
  send(message: MailMessage, signal?: AbortSignal): Promise<void>;
}

/** A call to another server. */
export interface OutboundCall {
  readonly url: string;
  /** The form field or setting that the address comes from; refusals name it. */
  readonly field: string;
  /** What the other side is called in errors; its host name by default. */
  readonly remote?: string;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** Absolute path of a file that is the body, streamed; instead of `body`. */
  readonly bodyFile?: string;
  /**
   * The address is a setting of the operator's own, and no caller had a say in it: it may lead anywhere, this host
   * included. It is called on connections apart, and no redirect is followed.
   */
  readonly ofOperator?: true;
  /**
   * `private`: addresses of this host and of private networks may be called as well, because an operator's setting
   * allows that for calls of this sort. With either value the services by which clouds tell machines their secrets stay
   * out of reach, also where `outbound.allowed` lists them, and such calls have connections of their own.
   */
  readonly reach?: 'public' | 'private';
  /**
   * For the whole exchange: milliseconds (5 s), bytes of the answer (10 MiB), and how many redirects a GET follows
   * (none).
   */
  readonly limits?: { readonly timeoutMs?: number; readonly maxBytes?: number; readonly redirects?: number };
  /** `head`: only status and headers count; the call ends with them, whatever body follows, and `body` is empty. */
  readonly wants?: 'head';
}

/** What another server answered, whatever its status. */
export interface OutboundAnswer {
  /** Where the answer came from, after redirects. */
  readonly url: string;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** An answer whose body went to a file. */
export interface OutboundDownload extends Omit<OutboundAnswer, 'body'> {
  readonly bytes: number;
}

/**
 * Calls other servers over HTTP: addresses outside the public internet are refused unless the operator allows them
 * (`outbound.allowed`), after every look-up and redirect. Of the server alone: it does not reach workers. Rejects with
 * ADDRESS_REFUSED (400), REMOTE_UNREACHABLE and REMOTE_ANSWER (502), REMOTE_TIMEOUT (504) and CANCELLED.
 */
export interface Outbound {
  /** Refuses an address that could never be called, without calling it. Throws ADDRESS_REFUSED. */
  check(url: string, field: string, reach?: OutboundCall['reach']): void;
  call(call: OutboundCall, signal?: AbortSignal): Promise<OutboundAnswer>;
  /** Writes the body to a file that is not there yet. After a failure it may be there, cut. */
  download(call: OutboundCall, target: string, signal?: AbortSignal): Promise<OutboundDownload>;
}

/**
 * Asks time stamp authorities (RFC 3161) that the operator or the presets allow. Reaches workers. What is asked and
 * answered is DER in base64: requests hold a hash and no more, answers are unchecked.
 */
export interface TimeStampAuthority {
  /** Rejects with TSA_NOT_ALLOWED, before anything is sent. Blank means the default. */
  check(url: string): Promise<void>;
  /** Rejects with TSA_NOT_ALLOWED, ADDRESS_REFUSED, REMOTE_UNREACHABLE, REMOTE_ANSWER, REMOTE_TIMEOUT or CANCELLED. */
  ask(url: string, request: string, signal?: AbortSignal): Promise<string>;
}

/** How the server trusts, and what it knows by now. */
export interface TrustState {
  readonly mode: 'none' | 'ocsp' | 'crl' | 'ocsp+crl';
  readonly hardFail: boolean;
  /** Whether `fetch` fetches. */
  readonly allowAIA: boolean;
  /** The enabled sources of anchors, in order. */
  readonly sources: readonly {
    readonly name: 'server' | 'system' | 'mozilla' | 'aatl' | 'eutl';
    readonly state: 'loading' | 'loaded' | 'failed';
    readonly anchors: number;
  }[];
}

/**
 * Whom the server trusts, and its way to revocation data (`security.validation` in the settings). Reaches workers.
 * Certificates, requests and answers are DER in base64. What is fetched comes from addresses in certificates, that is
 * from anybody: answers are unchecked, and bounded in size, time and number.
 */
export interface CertificateTrust {
  state(): Promise<TrustState>;
  /**
   * The anchors with these subjects (`nameKeyOf` of `@quire/document/certification-path`; at most 1000). Waits for
   * sources that are still being loaded, but not for long.
   */
  anchors(nameKeys: readonly string[]): Promise<readonly string[]>;
  /**
   * Certificates of an issuer, a revocation list, or the answer to an OCSP request. Null when it is not to be had:
   * `allowAIA` is off, an address that must not be called, nobody there, too late, too large, another status than 200.
   * Rejects with CANCELLED, and with INPUT_INVALID for what is no such call.
   */
  fetch(
    kind: 'issuers' | 'ocsp' | 'crl',
    url: string,
    request: string | null,
    signal?: AbortSignal,
  ): Promise<string | null>;
}

/**
 * Tells when a user name is no longer that of its user: what is kept under it must not fall to whoever takes it next.
 * Of the server alone; says nothing while login is off.
 */
export interface UserNames {
  /**
   * The listener is awaited before the call that brought it about is answered, and must not reject. `now` is the user's
   * new name; undefined when the account is gone.
   */
  onFreed(listener: (name: string, now: string | undefined) => Promise<void>): void;
}

/** Tells which teams there are. Of the server alone. */
export interface Teams {
  /** True for a team that people may be in; false while login is off. */
  exists(id: string): Promise<boolean>;
}

/** A certificate with those above it: DER in base64. */
export interface CertificateChain {
  readonly certificate: string;
  /** Nearest first. */
  readonly chain: readonly string[];
}

/** How a signature is made: with which kind of key, over which digest. */
export interface KeystoreScheme {
  readonly family: 'rsa' | 'rsa-pss' | 'ecdsa' | 'dsa' | 'eddsa';
  readonly digest: 'sha256' | 'sha384' | 'sha512';
}

/**
 * The key and certificate of the server itself, as they were when it started (`docs/interface/signing.yml`,
 * serverCertificate): what is uploaded or generated later counts from the next start, what is deleted is gone at once.
 * Reaches workers; the key never leaves the server. Every method rejects with SERVER_CERTIFICATE_ABSENT,
 * SERVER_CERTIFICATE_DISABLED or SERVER_CERTIFICATE_MISSING (400), or SERVICE_NOT_SET_UP when the keystore cannot be
 * read.
 */
export interface ServerKeystore {
  certificates(): Promise<CertificateChain>;
  /**
   * Signs bytes in base64, at most 64 KiB of them, as signed attributes are (RFC 5652, 5.4); gives the signature in
   * base64. CONTRACT_BROKEN for a scheme that the key does not have.
   */
  sign(data: string, scheme: KeystoreScheme): Promise<string>;
}

/** The services that core offers, or plugins to each other. An operation names those it uses in `needs.services`. */
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
  rebuildPdf: crossingToken<RebuildPdf>('rebuildPdf', {
    available: [],
    rebuild: ['value', 'input', 'output', 'signal'],
  }),
} as const;
