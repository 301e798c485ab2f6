import type { RouteOptions } from '@hapi/hapi';

/**
 * Options of every route that reads its own body. Hapi's parser is left out: it leaves files behind and answers a
 * refused upload only after draining it (reliability.md, part 2, items 1 and 2).
 */
export const rawBody = {
  payload: { parse: false, output: 'stream', maxBytes: Number.MAX_SAFE_INTEGER, timeout: false },
  timeout: { server: false, socket: false },
} as const satisfies RouteOptions;
