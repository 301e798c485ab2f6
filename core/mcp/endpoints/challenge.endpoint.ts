import { defineEndpoint, type Endpoint } from '@quire/registry';
import type { McpSettings } from '../mcp-settings.js';

/** The text by which OpenAI verifies that the domain of an app belongs to its developer; none while it is not set. */
export function challengeEndpoints({ openaiAppsChallenge }: Pick<McpSettings, 'openaiAppsChallenge'>): Endpoint[] {
  if (openaiAppsChallenge === '') return [];
  return [
    defineEndpoint({
      id: 'getOpenaiAppsChallenge',
      method: 'GET',
      path: '/.well-known/openai-apps-challenge',
      since: '1.5.0',
      tag: 'mcp',
      summary: 'Get the text for the domain check of OpenAI',
      access: { role: 'public', openBefore: ['password', 'secondFactor'] },
      returns: { description: 'The setting `mcp.openaiAppsChallenge`', mediaType: 'text/plain' },
      errors: [],
      handle: async () => ({ text: openaiAppsChallenge }),
    }),
  ];
}
