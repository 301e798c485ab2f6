import type { RouteOptions } from '@hapi/hapi';

/**
 * Options of every route that reads its own body. Hapi's parser is not used: it leaves files behind and answers a
 * rejected upload only after draining it (reliability.md, part 2, items 1 and 2).
 */
export const rawBody = {
  payload: { parse: false, output: 'stream', maxBytes: Number.MAX_SAFE_INTEGER, timeout: false },
  timeout: { server: false, socket: false },
} as const satisfies RouteOptions;
