import { stat } from 'node:fs/promises';
import type { Outbound, WebAnswer, WebFetch } from '@quire/registry';

const LIMITS = { timeoutMs: 10_000, maxBytes: 16 * 1024 * 1024, redirects: 5 } as const;

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
