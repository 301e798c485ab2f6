import { stat } from 'node:fs/promises';
import type { Logger, Outbound, SettingsReader, WebAnswer, WebFetch } from '@quire/registry';
import { createOutbound } from './outbound-client.js';
import type { Resolve } from './pinned-lookup.js';
import { webRules } from './web-rules.js';

const LIMITS = { timeoutMs: 10_000, maxBytes: 16 * 1024 * 1024, redirects: 5 } as const;

/** The client for web pages: its rules are those of `system.html.urlSecurity` as well. */
export function createWebClient(
  settings: SettingsReader,
  log: Logger,
  resolve?: Resolve,
): ReturnType<typeof createOutbound> {
  const rules = webRules(settings);
  if (rules.opened && settings.get<boolean>('system.enableUrlToPDF'))
    log.warn(
      { setting: 'system.html.urlSecurity' },
      'users can print pages of private networks: system.html.urlSecurity does not block them',
    );
  return createOutbound(settings, resolve, rules);
}

/** Gets web pages and what they show through the guarded client. */
export class OutboundWebFetch implements WebFetch {
  constructor(private readonly outbound: Outbound) {}

  async get(url: string, field: string, output: string, signal: AbortSignal): Promise<WebAnswer> {
    const answer = await this.outbound.download(
      {
        url,
        field,
        limits: LIMITS,
        headers: {
          accept: 'text/html,application/xhtml+xml,image/avif,image/webp,image/*,text/css,font/*,*/*;q=0.5',
          'accept-language': 'en, *;q=0.5',
        },
      },
      output,
      signal,
    );
    return {
      url: answer.url,
      status: answer.status,
      mediaType: answer.headers['content-type'] ?? '',
      bytes: (await stat(output)).size,
    };
  }
}
