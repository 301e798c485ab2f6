import { type Principal } from './principal.js';
import type Joi from 'joi';
import type { Readable } from 'node:stream';
import type { ErrorCode } from '../errors/table.js';
import type { Access, JoiRoot, PartSpec } from './operation.js';
import type { DocumentFile } from './run-context.js';
import type { Token } from './token.js';

/** A call of an endpoint after validation. */
export interface EndpointRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly files: Readonly<Record<string, readonly DocumentFile[]>>;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly principal: Principal;
  /** Where the call comes from; behind trusted proxies, the client's own address. */
  readonly address: string;
  /** Where the call came to; missing in older servers. */
  readonly site?: CallSite;
  readonly signal: AbortSignal;
  /**
   * Random part for the id of a job that this call becomes, where it carries an Idempotency-Key: a repeated call finds
   * that job.
   */
  readonly jobUuid?: string;
}

/** Where a call came to. */
export interface CallSite {
  /** Scheme, host and sub-path, without a slash at the end. */
  readonly url: string;
  /**
   * Whether that holds: else whoever called may have made it up, and it is good for the answer to them, but not for
   * what others get to read, as a mail.
   */
  readonly believed: boolean;
}

/** A call of which only the head has come. */
export interface EndpointArrival {
  /** As they stand in the address, not yet checked. */
  readonly params: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly principal: Principal;
  readonly address: string;
  /** Bytes that the body says it has (Content-Length). */
  readonly declaredBytes: number | undefined;
}

/** What an endpoint answers; exactly one of json, text, file, stream, or none for an empty body. */
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
    /** Default `attachment`; `inline` sends no Content-Disposition, for pictures that pages show. */ readonly disposition?:
      'attachment' | 'inline';
    /**
     * Called when the body has been sent or the client has gone; `sent`: all of it went out, and not only a range or,
     * to HEAD, nothing.
     */ readonly release?: (sent: boolean) => Promise<void>;
  };
  /**
   * A body that goes on for a while (server-sent events). `work`: what it tells of; an endpoint with a cost gives that
   * back when the work rejects.
   */
  readonly stream?: { readonly mediaType: string; readonly body: Readable; readonly work?: Promise<void> };
}

/** What an endpoint may reach. */
export interface EndpointContext {
  use<T>(token: Token<T>): T;
}

/**
 * A call of an endpoint that ends well with nothing but what the packages hold; the API documentation shows it, and
 * `npm run walk` makes it.
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
 * Where an answer leads: another call, and how it gets what that needs (OpenAPI 3.0.3, 4.8.20, Link Object). Values are
 * runtime expressions (4.8.20.4: `$response.body#/id`, `$response.header.x-job-id`, `$request.path.fileId`) or
 * constants.
 */
export interface AnswerLink {
  /** Id of the endpoint. */
  readonly to: string;
  /** Parameters of its path, query and header (`header.Prefer`). */
  readonly parameters?: Readonly<Record<string, string | number | boolean>>;
  /** Members of its body, or fields of its form, beside those of its example. */
  readonly payload?: Readonly<Record<string, unknown>>;
}

/** An HTTP endpoint that is not file-in, file-out: it feeds routes, access and OpenAPI, never the pipeline. */
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
   * Of a GET: it changes something all the same, as existing clients ask it to. HEAD, which by RFC 9110, 9.3.2, does
   * what GET does, is then refused.
   */
  readonly changes?: true;
  readonly access?: Access;
  readonly request?: {
    readonly params?: (joi: JoiRoot) => Joi.ObjectSchema;
    readonly query?: (joi: JoiRoot) => Joi.ObjectSchema;
    readonly payload?: (joi: JoiRoot) => Joi.ObjectSchema;
    /**
     * `json` (default); `multipart`: fields and files; `form`: fields alone, urlencoded or multipart. Fields of both
     * forms may stand in the query instead.
     */
    readonly payloadType?: 'json' | 'multipart' | 'form';
    readonly files?: readonly PartSpec[];
    /** Largest JSON body in bytes; default 1 MiB. */
    readonly maxBytes?: number;
    /**
     * True when the JSON body is not parsed here but lies in a file, `files.body`, for whoever parses it in a worker;
     * `payload` then only describes it.
     */
    readonly asFile?: true;
    /**
     * Of a multipart request: the field of `files` that is its document (it may be called `fileInput`); the id of a
     * file of an earlier job may be sent as `fileId` instead.
     */
    readonly fileIdFor?: string;
  };
  readonly returns: {
    readonly description: string;
    readonly status?: number;
    readonly json?: (joi: JoiRoot) => Joi.Schema;
    /** Of a file: its type, or all that it may have. Beside `json`: the answer is one or the other. */
    readonly mediaType?: string | readonly string[];
    /** Name of the file, where it is always the same. */
    readonly fileName?: string;
    /** Further successful answers, by status. */
    readonly also?: Readonly<
      Record<number, { readonly description: string; readonly json?: (joi: JoiRoot) => Joi.Schema }>
    >;
    /** Calls that what is answered leads to, one for each endpoint. */
    readonly links?: readonly AnswerLink[];
  };
  readonly examples?: readonly EndpointExample[];
  readonly errors: readonly ErrorCode[];
  /**
   * Called before a byte of the body is read: throws to refuse the call, or gives the most bytes that the body may have
   * where that is less than the server takes.
   */
  readonly admit?: (arrival: EndpointArrival, ctx: EndpointContext) => Promise<number | undefined>;
  readonly handle: (request: EndpointRequest, ctx: EndpointContext) => Promise<EndpointAnswer>;
}

/** Declares an endpoint. */
export function defineEndpoint(endpoint: Endpoint): Endpoint {
  return Object.freeze(endpoint);
}
