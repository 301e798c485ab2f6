import { expect } from 'chai';
import type { Principal, Token } from '@quire/registry';
import { integrationsCapabilities } from '../../src/endpoints/integrations-capabilities.endpoint.js';

async function ask(role: Principal['role'], allowed: boolean): Promise<unknown> {
  const { json } = await integrationsCapabilities.handle(
    {
      params: {},
      query: {},
      payload: {},
      files: {},
      headers: {},
      address: '127.0.0.1',
      signal: new AbortController().signal,
      principal: { id: 'x', name: 'x', role, via: role === 'anonymous' ? 'none' : 'key' },
    },
    { use: <T>(_token: Token<T>) => ({ get: () => allowed }) as T },
  );
  return json;
}

describe('capabilities of integrations', () => {
  it('let administrators make connections, and nobody else; without login whoever runs the server is one', async () => {
    expect([await ask('admin', true), await ask('user', true), await ask('anonymous', true)]).to.deep.equal([
      { customApi: true },
      { customApi: false },
      { customApi: true },
    ]);
  });

  it('let nobody make connections while that is switched off', async () => {
    expect(await ask('admin', false)).to.deep.equal({ customApi: false });
  });
});
