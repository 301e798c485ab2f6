import { expect } from 'chai';
import Joi from 'joi';
import { type Token, tokens } from '@quire/registry';
import { docparseCapabilities } from '../../src/endpoints/docparse-capabilities.endpoint.js';

describe('capabilities of document parsing', () => {
  it('follow the settings', async () => {
    const values: Record<string, boolean> = { 'docparse.enabled': true, 'aiEngine.enabled': false };
    const { json } = await docparseCapabilities.handle(
      {
        params: {},
        query: { refresh: true },
        payload: {},
        files: {},
        headers: {},
        address: '127.0.0.1',
        signal: new AbortController().signal,
        principal: { id: 'x', name: 'x', role: 'anonymous', via: 'none' },
      },
      {
        use: <T>(token: Token<T>) =>
          (token.name === tokens.textEmbeddings.name
            ? { model: 'near' }
            : { get: (path: string) => values[path] }) as T,
      },
    );
    expect(json).to.deep.equal({
      enabled: true,
      mode: 'basic',
      advancedInstalled: false,
      indexing: true,
      embeddings: true,
      aiEnabled: false,
    });
    expect(docparseCapabilities.returns.json?.(Joi).validate(json).error).to.equal(undefined);
  });
});
