import type { Server } from '@hapi/hapi';
import type { DailyLimits } from '../../billing/index.js';

declare module '@hapi/hapi' {
  interface RequestApplicationState {
    /** POST calls that the caller may still make today; undefined for callers without a limit. */
    callsLeft?: number;
  }
}

/**
 * Counts POST calls of users whose role has a daily limit, before the body is read (`docs/interface/auth.yml`, roles
 * and limits). Register it after the guard, so that rejected calls are not counted.
 */
export function limitDailyCalls(hapi: Server, limits: DailyLimits): void {
  hapi.ext('onPreAuth', async (request, h) => {
    const { principal } = request.app;
    if (request.method === 'post' && principal !== undefined) {
      const left = await limits.count(principal);
      if (left !== undefined) request.app.callsLeft = left;
    }
    return h.continue;
  });
  hapi.ext('onPreResponse', (request, h) => {
    const {
      response,
      app: { callsLeft },
    } = request;
    if (callsLeft !== undefined && !('isBoom' in response))
      response.header('x-rate-limit-remaining', String(callsLeft));
    return h.continue;
  });
}
