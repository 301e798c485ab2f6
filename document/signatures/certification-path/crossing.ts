import type { AnchorLookup, FetchKind, PathFetch } from './types.js';

/** The server's trust configuration for worker processes: JSON, DER in base64. */
export interface TrustAtADistance {
  anchors(nameKeys: readonly string[]): Promise<readonly string[]>;
  fetch(kind: FetchKind, url: string, request: string | null, signal?: AbortSignal): Promise<string | null>;
}

/** Fetches that one run may make; the server ends a run that goes beyond its own bound, which is higher. */
export const MAX_FETCHES = 48;
/** Most milliseconds that one run waits for them: dead addresses must not use up its time limit. */
const PATIENCE_MS = 30_000;

/** The anchors of the server, for `PathRequest.anchors`. What was asked once is not asked again. */
export function anchorsFrom(trust: TrustAtADistance): AnchorLookup {
  const known = new Map<string, Promise<readonly Uint8Array[]>>();
  return async (nameKeys) => {
    const found = nameKeys.map((key) => {
      const asked =
        known.get(key) ??
        trust.anchors([key]).then((list) => list.map((der) => new Uint8Array(Buffer.from(der, 'base64'))));
      known.set(key, asked);
      return asked;
    });
    return (await Promise.all(found)).flat();
  };
}

/**
 * Fetches through the server, for `PathRequest.fetch`: at most 48 times and 30 seconds in all, nothing twice. Make one
 * for a run, not for each signature.
 */
export function fetchFrom(trust: TrustAtADistance, signal?: AbortSignal, patienceMs: number = PATIENCE_MS): PathFetch {
  const asked = new Map<string, Promise<Uint8Array | undefined>>();
  let spent = 0;
  return (kind, url, request) => {
    const body = request === undefined ? null : Buffer.from(request).toString('base64');
    const key = JSON.stringify([kind, url, body]);
    const known = asked.get(key);
    if (known !== undefined) return known;
    if (asked.size >= MAX_FETCHES || spent >= patienceMs) return Promise.resolve(undefined);
    const began = performance.now();
    const answer = trust.fetch(kind, url, body, signal).then((der) => {
      spent += performance.now() - began;
      return der === null ? undefined : new Uint8Array(Buffer.from(der, 'base64'));
    });
    asked.set(key, answer);
    return answer;
  };
}
