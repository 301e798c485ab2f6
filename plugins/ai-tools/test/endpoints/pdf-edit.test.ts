import { expect } from 'chai';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serverForTests } from '@quire/plugin-kit';
import { type ModelServer, refuses, says, startModelServer } from '../../../../test/fixtures/model-server.js';

const plugins = [new URL('../../', import.meta.url).pathname, '@quire/plugin-general'];
const post = async (url: string, body: unknown): Promise<{ status: number; body: Record<string, unknown> }> => {
  const answer = await fetch(`${url}/api/v1/ai/pdf/edit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    signal: AbortSignal.timeout(25_000),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

describe('a plan of an edit', function () {
  this.timeout(60_000);

  describe('of a model', () => {
    let model: ModelServer;
    const settings: Record<string, unknown> = {};
    before(async () => {
      model = await startModelServer();
      Object.assign(settings, model.settings);
    });
    const server = serverForTests({ plugins, settings });
    after(() => model.stop());
    const intent = (name: string, more: object = {}) => says({ intent: name, operations: [], words: '', ...more });
    const turn = { intent: 'plan', operations: ['/api/v1/general/rotate-pdf', '/api/v1/made/up'], words: '' };

    it('holds steps that were checked like a pipeline', async () => {
      model.script(
        says(turn),
        says({
          steps: [{ operation: '/api/v1/general/rotate-pdf', parameters: [{ name: 'angle', value: '90' }] }],
          summary: 'Turns all pages.',
        }),
      );
      const answer = await post(server.url, {
        user_message: 'Turn it right',
        conversation_history: [{ role: 'user', content: 'Hello' }],
        file_names: ['a.pdf', { name: 'b.pdf' }],
        enabled_endpoints: ['/evil'],
      });
      expect(answer).to.deep.equal({
        status: 200,
        body: {
          outcome: 'plan',
          summary: 'Turns all pages.',
          steps: [{ operation: '/api/v1/general/rotate-pdf', parameters: { angle: '90' } }],
        },
      });
      expect(model.requests[0]?.messages[0]?.content)
        .to.contain('/api/v1/general/rotate-pdf')
        .and.not.to.contain('/evil');
      expect(model.requests[1]?.messages[0]?.content).not.to.contain('/made/up');
    });

    it('is made a second time when its steps could not run, and then given up with the reason', async () => {
      model.script(
        says(turn),
        says({
          steps: [{ operation: '/api/v1/general/rotate-pdf', parameters: [{ name: 'angle', value: '45' }] }],
          summary: '',
        }),
      );
      const answer = await post(server.url, { userMessage: 'Turn it' });
      expect(answer.status).to.equal(200);
      expect(answer.body['outcome']).to.equal('cannot_do');
      expect(answer.body['reason']).to.contain('/pipeline/0/parameters/angle');
      expect(model.requests).to.have.length(3);
      expect(model.requests[2]?.messages[0]?.content).to.contain('/pipeline/0/parameters/angle');
    });

    it('is a question back, or a refusal with a reason, where that is the answer', async () => {
      model.script(intent('need_clarification', { words: 'Which pages?' }));
      expect((await post(server.url, { user_message: 'Delete pages' })).body).to.deep.equal({
        outcome: 'need_clarification',
        question: 'Which pages?',
      });
      model.script(intent('cannot_do', { words: 'No tea here.' }));
      expect((await post(server.url, { user_message: 'Make tea' })).body).to.deep.equal({
        outcome: 'cannot_do',
        reason: 'No tea here.',
      });
      model.script(intent('answer'));
      expect((await post(server.url, { user_message: 'What does it say?' })).body['reason']).to.contain(
        '/api/v1/ai/orchestrate',
      );
      model.script(intent('plan', { operations: ['/api/v1/made/up'] }));
      expect((await post(server.url, { user_message: 'Do it' })).body['outcome']).to.equal('cannot_do');
      model.script(refuses());
      expect(await post(server.url, { user_message: 'Do it' })).to.deep.include({ status: 502 });
    });

    for (const [what, body] of [
      ['a list', '[]'],
      ['a text', '"turn it"'],
      ['half a JSON', '{"user_message":'],
      ['nothing', ''],
      ['no message', {}],
      ['a blank message', { user_message: '  ' }],
      ['a message that is a number', { user_message: 5 }],
      ['a history that is none', { user_message: 'x', conversation_history: 'y' }],
      ['a turn of the system', { user_message: 'x', conversation_history: [{ role: 'system', content: 'y' }] }],
      ['files without names', { user_message: 'x', file_names: [{}] }],
    ] as const) {
      it(`is refused for a body with ${what}`, async () => {
        model.script(says({}));
        expect((await post(server.url, body)).status).to.equal(400);
        expect(model.requests).to.have.length(0);
      });
    }
  });

  describe('of a separate engine', () => {
    let engine: Server | undefined;
    const seen: { url: string; headers: IncomingMessage['headers']; body: Record<string, unknown> }[] = [];
    let reply = { status: 200, body: '{"plan":[1]}' };
    const settings: Record<string, unknown> = {};
    before(async () => {
      const made = createServer((request, response) => {
        let body = '';
        request
          .on('data', (chunk: Buffer) => (body += chunk.toString('utf8')))
          .on('end', () => {
            seen.push({
              url: request.url ?? '',
              headers: request.headers,
              body: (body === '' ? {} : JSON.parse(body)) as Record<string, unknown>,
            });
            response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body);
          });
      });
      engine = made;
      await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
      Object.assign(settings, {
        aiEngine: {
          enabled: true,
          url: `http://127.0.0.1:${(made.address() as AddressInfo).port}`,
          sharedSecret: 's3',
        },
      });
    });
    const server = serverForTests({ plugins, settings });
    after(() => {
      engine?.closeAllConnections();
      engine?.close();
    });

    it('got its part of the settings when the server started', async () => {
      for (let i = 0; i < 400 && seen.length === 0; i++)
        await new Promise((resolve) => {
          setTimeout(resolve, 50);
        });
      const [push] = seen;
      expect(push?.url).to.equal('/api/v1/config');
      expect(push?.body).to.have.all.keys('models', 'rag', 'limits');
      expect(push?.body['limits']).to.deep.equal({ maxPages: 200, maxCharacters: 200_000, modelMaxConcurrency: 32 });
    });

    it('receives the secret and the offer of this server, whatever was sent', async () => {
      seen.length = 0;
      expect(await post(server.url, { anything: { deep: true }, enabled_endpoints: ['/evil'] })).to.deep.equal({
        status: 200,
        body: { plan: [1] },
      });
      const [call] = seen;
      expect(call?.url).to.equal('/api/v1/pdf/edit');
      expect(call?.headers).to.include({ 'x-engine-auth': 's3' });
      expect(call?.body['anything']).to.deep.equal({ deep: true });
      expect(call?.body['enabled_endpoints']).to.include('/api/v1/general/rotate-pdf').and.not.to.include('/evil');
    });

    for (const [what, status, body, answered] of [
      ['4xx with its status', 422, '{"detail":"too vague"}', 422],
      ['5xx as 502', 500, '{}', 502],
      ['401 as its own fault', 401, '{}', 503],
      ['prose as 502', 200, 'hello', 502],
      ['a list as 502', 200, '[]', 502],
    ] as const) {
      it(`passes ${what} on`, async () => {
        reply = { status, body };
        const answer = await post(server.url, {});
        expect(answer.status).to.equal(answered);
        if (status === 422) expect(answer.body).to.deep.equal({ detail: 'too vague' });
      });
    }
  });

  describe('where the tools are off', () => {
    const server = serverForTests({ plugins });

    it('is 503', async () => {
      const answer = await post(server.url, { user_message: 'x' });
      expect([answer.status, answer.body['code']]).to.deep.equal([503, 'SERVICE_NOT_SET_UP']);
    });
  });
});
