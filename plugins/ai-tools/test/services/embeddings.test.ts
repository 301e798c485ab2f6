import { expect } from 'chai';
import type { QuireError } from '@quire/registry';
import { createOutbound } from '../../../../core/network/outbound/index.js';
import { type ModelServer, startModelServer } from '../../../../test/fixtures/model-server.js';
import { OpenAiEmbeddings } from '../../src/services/open-ai-embeddings.js';

const vector = (text: string): number[] => [text.length, 1];
const caller = { id: 'u 1', name: 'ann' };

describe('the embedding model', () => {
  let server: ModelServer;
  const outbounds: ReturnType<typeof createOutbound>[] = [];
  before(async () => {
    server = await startModelServer();
  });
  after(async () => {
    for (const outbound of outbounds) await outbound.close();
    await server.stop();
  });

  function embeddings(changes: Record<string, unknown> = {}): OpenAiEmbeddings {
    const values: Record<string, unknown> = {
      'aiEngine.enabled': true,
      'aiEngine.timeoutSeconds': 5,
      'aiEngine.limits.modelMaxConcurrency': 4,
      'aiEngine.url': 'http://localhost:1',
      'aiEngine.sharedSecret': '',
      'aiEngine.models.provider': 'custom',
      'aiEngine.models.baseUrl': server.baseUrl,
      'aiEngine.models.apiKey': 'k',
      'aiEngine.rag.embeddingProvider': 'custom',
      'aiEngine.rag.embeddingModel': 'near',
      'aiEngine.rag.embeddingApiKey': '',
      'aiEngine.rag.embeddingBaseUrl': '',
      'outbound.allowed': [],
      'system.caBundle': '/nowhere',
      ...changes,
    };
    const settings = { get: <T>(path: string): T => values[path] as T };
    const outbound = createOutbound(settings);
    outbounds.push(outbound);
    return new OpenAiEmbeddings({ settings, outbound });
  }
  const failure = (asked: Promise<unknown>): Promise<string> =>
    asked.then(
      () => 'it worked',
      (error: unknown) => `${(error as QuireError).code}: ${(error as QuireError).message}`,
    );

  it('gives a vector for each text, in their order, however many there are', async () => {
    server.embeds(vector);
    const texts = Array.from({ length: 150 }, (_, i) => 'x'.repeat(i));
    const vectors = await embeddings().embed([...texts, 'y'.repeat(20_000)]);
    expect(vectors.map(([length]) => length)).to.deep.equal([1, ...texts.slice(1).map(({ length }) => length), 8000]);
    expect(server.embedded.map(({ input }) => input.length)).to.deep.equal([64, 64, 23]);
    expect(server.embedded[0]).to.include({ model: 'near', encoding_format: 'float' });
    expect(server.embedded[0]?.headers)
      .to.include({ authorization: 'Bearer k', 'user-agent': 'Quire' })
      .and.not.have.property('x-user-id');
    expect(await embeddings().embed([])).to.deep.equal([]);
  });

  it('is at an address and with a key of its own where they are set, else where questions go', async () => {
    server.embeds(vector);
    await embeddings({
      'aiEngine.models.baseUrl': 'http://127.0.0.1:1/v1',
      'aiEngine.rag.embeddingBaseUrl': `${server.baseUrl}/`,
      'aiEngine.rag.embeddingApiKey': 'own',
    }).embed(['x']);
    expect(server.embedded[0]?.headers).to.include({ authorization: 'Bearer own' });
    await embeddings({
      'aiEngine.models.baseUrl': '',
      'aiEngine.url': server.baseUrl.replace(/\/v1$/, ''),
      'aiEngine.sharedSecret': 's3',
      'aiEngine.models.apiKey': '',
    }).embed(['x'], undefined, caller);
    expect(server.embedded[1]?.headers)
      .to.include({ 'x-engine-auth': 's3', 'x-user-id': 'u%201' })
      .and.not.have.property('authorization');
    expect([
      embeddings().model,
      embeddings({ 'aiEngine.enabled': false }).model,
      embeddings({ 'aiEngine.rag.embeddingModel': ' ' }).model,
    ]).to.deep.equal(['near', undefined, undefined]);
  });

  it('is honest about what it is not given', async () => {
    const answers: readonly (readonly [string, string, RegExp])[] = [
      [
        'fewer vectors',
        '{"data":[{"index":0,"embedding":[1,2]}]}',
        /^REMOTE_ANSWER: The embedding model answered without a vector for every text/,
      ],
      ['no numbers', '{"data":[{"embedding":["1"]},{"embedding":[1]}]}', /^REMOTE_ANSWER/],
      ['a page', '<html>', /^REMOTE_ANSWER/],
      ['an empty vector', '{"data":[{"embedding":[]},{"embedding":[]}]}', /^REMOTE_ANSWER/],
      [
        'vectors of two lengths',
        '{"data":[{"embedding":[1]},{"embedding":[1,2]}]}',
        /^REMOTE_ANSWER.*different lengths/,
      ],
      ['nothing', 'null', /^REMOTE_ANSWER/],
      [
        'one place twice',
        '{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]},{"index":7,"embedding":[1]}]}',
        /^REMOTE_ANSWER/,
      ],
    ];
    for (const [what, body, code] of answers) {
      server.embeds(
        vector,
        (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(body),
      );
      expect(await failure(embeddings().embed(['a', 'b'])), what).to.match(code);
    }
    server.embeds(vector, (response) => void response.writeHead(401).end('{}'));
    expect(await failure(embeddings().embed(['a']))).to.match(
      /^SERVICE_NOT_SET_UP: The embedding model.*aiEngine\.rag\.embeddingApiKey/,
    );
    server.embeds(vector, () => undefined);
    expect(await failure(embeddings({ 'aiEngine.timeoutSeconds': 1 }).embed(['a']))).to.match(
      /^REMOTE_TIMEOUT: The embedding model/,
    );
    const gone = new AbortController();
    setTimeout(() => gone.abort(), 50);
    expect(await failure(embeddings().embed(['a'], gone.signal))).to.match(/^CANCELLED/);
    for (const changes of [
      { 'aiEngine.enabled': false },
      { 'aiEngine.rag.embeddingModel': '' },
      { 'aiEngine.rag.embeddingBaseUrl': 'http://127.0.0.1:1/v1' },
    ])
      expect(await failure(embeddings(changes).embed(['a']))).to.match(/^SERVICE_NOT_SET_UP/);
  });
});
