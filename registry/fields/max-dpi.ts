import type { RunContext } from '../contract/run-context.js';
import { tokens } from '../contract/tokens.js';

const DEFAULT_MAX_DPI = 500;

/**
 * The highest resolution at which an operation may render pages: the setting `system.maxDPI`. The operation must
 * declare `tokens.settings`.
 */
export function maxDpi(ctx: Pick<RunContext, 'use'>): number {
  return ctx.use(tokens.settings).get<number | undefined>('system.maxDPI') ?? DEFAULT_MAX_DPI;
}
