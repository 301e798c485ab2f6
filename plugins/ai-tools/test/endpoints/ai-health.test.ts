import { expect } from 'chai';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { QuireError, Token } from '@quire/registry';
import { createOutbound } from '../../../../core/network/outbound/index.js';
import { aiHealth } from '../../src/endpoints/ai-health.endpoint.js';
import { HttpModelService } from '../../src/services/model-service.js';

describe('health of the language model', () => {
  let server: Server | undefined;
  let outbound: ReturnType<typeof createOutbound> | undefined;
  afterEach(async () => {
    await outbound?.close();
    server?.closeAllConnections();
    server?.close();
  });
  async function serve(listener: RequestListener): Promise<string> {
    const listening = createServer(listener).listen(0, '127.0.0.1');
    server = listening;
    await new Promise((resolve) => {
      listening.once('listening', resolve);
    });
    return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
  }
  async function ask(changes: Record<string, unknown>): Promise<unknown> {
    const values: Record<string, unknown> = {
      'aiEngine.enabled': true,
      'aiEngine.url': '',
      'aiEngine.timeoutSeconds': 1,
      'aiEngine.sharedSecret': '',
      'aiEngine.models.provider': 'custom',
      'aiEngine.models.baseUrl': '',
      'aiEngine.models.apiKey': '',
      'outbound.allowed': [],
      'system.caBundle': '/nowhere',
      ...changes,
    };
    const settings = { get: <T>(path: string) => values[path] as T };
    outbound = createOutbound(settings);
    const service = new HttpModelService(settings, outbound);
    return aiHealth
      .handle(
        {
          params: {},
          query: {},
          payload: {},
          files: {},
          headers: {},
          address: '127.0.0.1',
          signal: new AbortController().signal,
          principal: { id: 'x', name: 'x', role: 'anonymous', via: 'none' },
        },
        { use: <T>(_token: Token<T>) => service as T },
      )
      .then(
        ({ json }) => json,
        (error: unknown) => `${(error as QuireError).code}: ${(error as QuireError).message}`,
      );
  }

  it('is refused while the tools are off', async () => {
    expect(await ask({ 'aiEngine.enabled': false })).to.equal(
      'SERVICE_NOT_SET_UP: The language model is not set up on this server: aiEngine.enabled is false.',
    );
  });

  it('is what a separate engine says of itself, told who asks and the secret', async () => {
    const url = await serve((request, answer) =>
      answer.end(
        JSON.stringify({
          status: 'ok',
          path: request.url,
          user: request.headers['x-user-id'],
          secret: request.headers['x-engine-auth'],
        }),
      ),
    );
    expect(await ask({ 'aiEngine.url': `${url}/`, 'aiEngine.sharedSecret': 's3' })).to.deep.equal({
      status: 'ok',
      path: '/health',
      user: 'x',
      secret: 's3',
    });
  });

  it('is the list of models of an OpenAI-compatible address, asked with the key', async () => {
    const url = await serve((request, answer) => {
      if (request.headers.authorization !== 'Bearer k' || request.url !== '/v1/models') answer.statusCode = 401;
      answer.end(JSON.stringify({ data: [{ id: 'one' }, { id: 'two' }] }));
    });
    expect(await ask({ 'aiEngine.models.baseUrl': `${url}/v1`, 'aiEngine.models.apiKey': 'k' })).to.deep.equal({
      status: 'UP',
      models: ['one', 'two'],
    });
    expect(await ask({ 'aiEngine.models.baseUrl': `${url}/v1` })).to.match(/SERVICE_NOT_SET_UP.*answered 401/);
  });

  it('is refused when the service does not answer, answers no JSON, too much, or elsewhere', async () => {
    expect(await ask({ 'aiEngine.url': 'http://127.0.0.1:1' })).to.match(/SERVICE_NOT_SET_UP.*does not answer/);
    const url = await serve((request, answer) => {
      if (request.url === '/much/health') answer.end('"'.padEnd(2_000_000, 'x'));
      else if (request.url === '/moved/health') answer.writeHead(302, { location: '/health' }).end();
      else answer.end('<html>');
    });
    expect(await ask({ 'aiEngine.url': url })).to.match(/SERVICE_NOT_SET_UP.*no JSON/);
    expect(await ask({ 'aiEngine.url': `${url}/much` })).to.match(/SERVICE_NOT_SET_UP.*more than 1048576 bytes/);
    expect(await ask({ 'aiEngine.url': `${url}/moved` })).to.match(/SERVICE_NOT_SET_UP.*answered 302/);
  });

  it('is given up when the service is silent', async () => {
    const url = await serve(() => undefined);
    expect(await ask({ 'aiEngine.url': url })).to.match(/^REMOTE_TIMEOUT/);
  });
});
