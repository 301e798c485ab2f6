import type { Principal } from './principal.js';
import type Joi from 'joi';
import type { Readable } from 'node:stream';
import type { ErrorCode } from '../errors/table.js';
import type { Access } from './access.js';
import type { JoiRoot, PartSpec } from './operation.js';
import type { DocumentFile } from './run-context.js';
import type { Token } from './token.js';

/** A validated call of an endpoint. */
export interface EndpointRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /**
   * The query as it was sent, without the question mark, for signatures over it; missing in older servers.
   */
  readonly search?: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly files: Readonly<Record<string, readonly DocumentFile[]>>;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly principal: Principal;
  /** The client's address; behind trusted proxies, the address that they forward. */
  readonly address: string;
  /** The server's address as used by the call; missing in older servers. */
  readonly site?: CallSite;
  /** How the call reached the server, for logins that a proxy vouches for; missing in older servers. */
  readonly connection?: CallConnection;
  readonly signal: AbortSignal;
  /**
   * Names the account that the call turns out to be about, for the audit log, when no field `username` does; missing in
   * older servers.
   */
  readonly about?: (username: string) => void;
  /**
   * Random part for the id of a job that this call becomes, when it carries an Idempotency-Key: a repeated call finds
   * that job.
   */
  readonly jobUuid?: string;
}

/** The connection that a call came by. */
export interface CallConnection {
  /** Address of its other end: of the proxy, not of the client behind it. */
  readonly peer: string;
  /** Names and values of the headers in turn, as they were sent; a header may be there twice. */
  readonly rawHeaders: readonly string[];
}

/** The server's address as used by a call. */
export interface CallSite {
  /** Scheme, host and sub-path, without a trailing slash. */
  readonly url: string;
  /**
   * Whether the address is trusted. Otherwise the caller may have made it up: use it in the answer to them, but not in
   * anything others read, such as a mail.
   */
  readonly believed: boolean;
}

/** A call of which only the head has arrived. */
export interface EndpointArrival {
  /** As in the path, not yet validated. */
  readonly params: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly principal: Principal;
  readonly address: string;
  /** Size of the body by its Content-Length. */
  readonly declaredBytes: number | undefined;
}

/** The answer of an endpoint: exactly one of json, text, file, stream, or none of them for an empty body. */
export interface EndpointAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
  readonly file?: {
    readonly name: string;
    readonly mediaType: string;
    readonly path?: string;
    readonly bytes?: Uint8Array;
    readonly size?: number;
    readonly stream?: Readable;
    /** Default `attachment`; `inline` sends no Content-Disposition, for images that pages show. */
    readonly disposition?: 'attachment' | 'inline';
    /**
     * Called when the body has been sent or the client has disconnected; `sent` is true when the whole body was sent,
     * and not only a range or, to HEAD, nothing.
     */
    readonly release?: (sent: boolean) => Promise<void>;
  };
  /**
   * A body that is sent over time (server-sent events). `work`: the work that it reports on; an endpoint with a cost
   * refunds it when the work rejects.
   */
  readonly stream?: { readonly mediaType: string; readonly body: Readable; readonly work?: Promise<void> };
}

export interface EndpointContext {
  use<T>(token: Token<T>): T;
}

/**
 * A call of an endpoint that succeeds with nothing but the files of the packages; the API documentation shows it, and
 * `npm run walk` runs it.
 */
export interface EndpointExample {
  readonly title: string;
  /** Parameters of the path and the query. */
  readonly parameters?: Readonly<Record<string, string | number | boolean>>;
  /** The JSON body, or the fields of the form. */
  readonly payload?: Readonly<Record<string, unknown>>;
  /** Files of the form by field: names in the folder `fixtures` of the plugin's package. */
  readonly files?: Readonly<Record<string, readonly string[]>>;
}

/**
 * A call that follows from an answer, and how it gets its values (OpenAPI 3.0.3, 4.8.20, Link Object). Values are
 * runtime expressions (4.8.20.4: `$response.body#/id`, `$response.header.x-job-id`, `$request.path.fileId`) or
 * constants.
 */
export interface AnswerLink {
  /** Id of the endpoint. */
  readonly to: string;
  /** Parameters of its path, query and header (`header.Prefer`). */
  readonly parameters?: Readonly<Record<string, string | number | boolean>>;
  /** Members of its body, or fields of its form, in addition to those of its example. */
  readonly payload?: Readonly<Record<string, unknown>>;
}

/**
 * An HTTP endpoint that is not a file-in, file-out operation: it has a route, access and documentation, and is never a
 * pipeline step.
 */
export interface Endpoint {
  /** Unique; becomes the OpenAPI operationId. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Under `/api/v1/`, or absolute when it starts with a slash. `{name}` marks parameters. */
  readonly path: string;
  readonly since: string;
  readonly summary: string;
  readonly notes?: string;
  /** Heading in the API documentation; default: the first path segment. */
  readonly tag?: string;
  /**
   * Of a GET that changes data, as existing clients expect. HEAD, which does what GET does (RFC 9110, 9.3.2), is then
   * rejected.
   */
  readonly changes?: true;
  readonly access?: Access;
  readonly request?: {
    readonly params?: (joi: JoiRoot) => Joi.ObjectSchema;
    readonly query?: (joi: JoiRoot) => Joi.ObjectSchema;
    readonly payload?: (joi: JoiRoot) => Joi.ObjectSchema;
    /**
     * `json` (default); `multipart`: fields and files; `form`: fields only, urlencoded or multipart. Fields of both
     * forms may be in the query instead. `binary`: the body is a document itself, of any media type; it is stored in a
     * file, `files.body`, which may be empty.
     */
    readonly payloadType?: 'json' | 'multipart' | 'form' | 'binary';
    readonly files?: readonly PartSpec[];
    /** Largest JSON body in bytes; default 1 MiB. */
    readonly maxBytes?: number;
    /**
     * True when the JSON body is not parsed here but stored in a file, `files.body`, to be parsed in a worker;
     * `payload` then only describes it.
     */
    readonly asFile?: true;
    /**
     * Of a multipart request: the field of `files` that is its document (it may be called `fileInput`); the id of a
     * file of an earlier job can be sent as `fileId` instead.
     */
    readonly fileIdFor?: string;
  };
  readonly returns: {
    readonly description: string;
    readonly status?: number;
    readonly json?: (joi: JoiRoot) => Joi.Schema;
    /** Of a file: its media type, or all possible ones. With `json`, the answer is one or the other. */
    readonly mediaType?: string | readonly string[];
    /** File name, when it is always the same. */
    readonly fileName?: string;
    /** Other successful answers, by status. */
    readonly also?: Readonly<
      Record<number, { readonly description: string; readonly json?: (joi: JoiRoot) => Joi.Schema }>
    >;
    /** Calls that follow from the answer, one for each endpoint. */
    readonly links?: readonly AnswerLink[];
  };
  readonly examples?: readonly EndpointExample[];
  readonly errors: readonly ErrorCode[];
  /**
   * Called before a byte of the body is read: throws to refuse the call, or returns a maximum body size below the
   * server's own limit.
   */
  readonly admit?: (arrival: EndpointArrival, ctx: EndpointContext) => Promise<number | undefined>;
  readonly handle: (request: EndpointRequest, ctx: EndpointContext) => Promise<EndpointAnswer>;
}

/** Declares an endpoint. */
export function defineEndpoint(endpoint: Endpoint): Endpoint {
  return Object.freeze(endpoint);
}
