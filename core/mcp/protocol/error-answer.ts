import type { Logger } from '@quire/registry';
import { asQuireError } from '../../http/response/index.js';
import { visible } from '../tools/plain-text.js';
import type { ToolAnswer } from '../tools/tool.js';

/** Returns an error as the answer of a tool, from which a model can correct its call: what is wrong, and where. */
export function errorAnswer(error: unknown, tool: string, log: Logger): ToolAnswer & { readonly isError: true } {
  const { code, message, errors, row, data, cause } = asQuireError(error, { method: 'POST', path: '/mcp' });
  if (row.family === 'defect') log.error({ err: cause ?? error, tool }, 'a tool failed');
  const retry = row.retryable === true ? [`Try again in ${String(data['seconds'] ?? 1)} seconds.`] : [];
  const faults = errors.map(({ pointer, detail }) => ({ pointer, detail: visible(detail) }));
  const text = [
    visible(message),
    ...faults.map(({ pointer, detail }) => `- ${pointer === '' ? '/' : pointer}: ${detail}`),
    ...(row.hint === undefined ? [] : [row.hint]),
    ...retry,
  ].join('\n');
  return {
    isError: true,
    content: [{ type: 'text', text }],
    structuredContent: { error: { code, message: visible(message), errors: faults } },
  };
}

/** The answer to a call whose access token lacks a scope. */
export function scopeAnswer(scope: string): ToolAnswer & { readonly isError: true } {
  const message = `This tool needs an access token with the scope ${scope}. Ask the user to authorise it.`;
  return {
    isError: true,
    content: [{ type: 'text', text: message }],
    structuredContent: { error: { code: 'insufficient_scope', message, scope } },
  };
}
