import type { ServerInjectOptions, ServerInjectResponse } from '@hapi/hapi';
import type { Logger as Pino } from 'pino';
import type { Metrics } from '../metrics/index.js';
import { uploadLimit } from '../operations/index.js';
import { sizeToBytes, type Settings } from '../settings/index.js';
import type { HttpDeps } from './deps.js';
import type { FormLimits } from './request/read-form.js';
import { documentSource, type DocumentSource } from '../openapi/index.js';
import { protectSocket, removeDeadSocket } from './listen-address.js';
import { createHttpServer } from './server.js';

export interface CreateHttpDeps extends Omit<HttpDeps, 'formLimits'> {
  readonly metrics: Metrics;
  readonly pino: Pino;
}

export interface HttpFeature {
  /** Base address with the context path; correct once the server listens. `unix:` and the path of a socket. */
  url(): string;
  inject(options: string | ServerInjectOptions): Promise<ServerInjectResponse>;
  documentSource(): DocumentSource;
  start(): Promise<void>;
  /** Stops listening and waits for the running calls. */
  stop(patienceMs: number): Promise<void>;
}

/** Creates the HTTP server with the routes of every operation and endpoint. It does not listen yet. */
export async function createHttp({ metrics, pino, ...deps }: CreateHttpDeps): Promise<HttpFeature> {
  const { settings } = deps;
  const socket = settings.get('server.socket');
  const { hapi, routes } = await createHttpServer({ ...deps, formLimits: formLimitsOf(settings) }, metrics, pino);
  return {
    url: () =>
      socket === ''
        ? `${hapi.info.uri.replace('0.0.0.0', '127.0.0.1')}${settings.get('system.rootUriPath')}`
        : `unix:${socket}`,
    inject: (options) => hapi.inject(options),
    documentSource: () => documentSource(routes.declared(), { ...deps, prefix: settings.get('system.rootUriPath') }),
    start: async () => {
      if (socket !== '') await removeDeadSocket(socket);
      await hapi.start();
      if (socket !== '') protectSocket(socket);
    },
    stop: (patienceMs) => hapi.stop({ timeout: patienceMs }),
  };
}

function formLimitsOf(settings: Settings): FormLimits {
  return {
    maxBytes: uploadLimit(settings),
    maxFieldBytes: sizeToBytes(settings.get('limits.maxFieldSize')) ?? 0,
    maxParts: settings.get('limits.maxParts'),
    stallMs: settings.get('server.uploadIdleSeconds') * 1000,
    minRate: settings.get('server.uploadMinBytesPerSecond'),
  };
}
