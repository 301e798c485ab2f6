import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makePdf, serverForTests } from '@quire/plugin-kit';
import { expect } from 'chai';
import { executeNode } from './execute-node.js';
import { loadNode, type Item } from './load-node.js';

const secret = `whsec_${Buffer.alloc(24, 2).toString('base64')}`;
const trigger = loadNode('QuireTrigger');

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: Buffer;
}

/** Calls the trigger as n8n does for a request to its address. */
async function receive(
  { headers, rawBody }: Received,
  parameters: object = {},
): Promise<{ status: number; items: Item[] }> {
  const known: Readonly<Record<string, unknown>> = { secret, events: ['job.succeeded', 'job.failed'], ...parameters };
  let status = 200;
  const response = {
    status: (code: number) => {
      status = code;
      return { json: () => undefined };
    },
  };
  const { workflowData } = await trigger.webhook.call({
    getNode: () => ({ name: 'Quire Trigger' }),
    getNodeParameter: (name: string) => known[name],
    getHeaderData: () => headers,
    getRequestObject: () => ({ rawBody }),
    getResponseObject: () => response,
    getBodyData: () => JSON.parse(rawBody.toString('utf8')) as unknown,
  });
  return { status, items: workflowData?.[0] ?? [] };
}

describe('The n8n trigger', () => {
  const server = serverForTests({ settings: { outbound: { allowed: ['127.0.0.1'] } } });
  let received: Received;

  before(async () => {
    let heard: (request: Received) => void = () => undefined;
    const delivery = new Promise<Received>((resolve) => (heard = resolve));
    const receiver = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        response.writeHead(204).end();
        heard({ headers: request.headers, rawBody: Buffer.concat(chunks) });
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const callbackUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhook`;
    const data = { fileName: 'a.pdf', mimeType: 'application/pdf', bytes: Buffer.from(await makePdf({ pages: 1 })) };
    await executeNode({
      url: server.url,
      items: [{ json: {}, binary: { data } }],
      parameters: {
        resource: 'general',
        operation: 'rotatePdf',
        runAs: 'start',
        callbackUrl,
        callbackSecret: secret,
      },
    });
    received = await delivery;
    receiver.close();
  });

  it('starts the workflow with the job that a signed call-back of the server names', async () => {
    const { status, items } = await receive(received);
    expect(status).to.equal(200);
    expect(items[0]?.json).to.include({ event: 'job.succeeded', status: 'succeeded' });
    expect(items[0]?.json).to.include.keys('jobId', 'resultUrl', 'webhookId');
  });

  it('does not start it for events that are not chosen', async () => {
    expect(await receive(received, { events: ['job.failed'] })).to.deep.equal({ status: 200, items: [] });
  });

  it('refuses calls with another key, another body, no signature or an old one', async () => {
    const { headers, rawBody } = received;
    const { 'webhook-signature': _signature, ...unsigned } = headers;
    const otherKey = `whsec_${Buffer.alloc(24, 3).toString('base64')}`;
    const seconds = String(Math.floor(Date.now() / 1000) - 3600);
    const old = createHmac('sha256', Buffer.alloc(24, 2))
      .update(`${String(headers['webhook-id'])}.${seconds}.${rawBody.toString('utf8')}`)
      .digest('base64');
    const refused = [
      await receive(received, { secret: otherKey }),
      await receive({ headers, rawBody: Buffer.concat([rawBody, Buffer.from(' ')]) }),
      await receive({ headers: unsigned, rawBody }),
      await receive({
        headers: { ...headers, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${old}` },
        rawBody,
      }),
    ];
    expect(refused.map(({ status }) => status)).to.deep.equal([401, 401, 401, 401]);
    expect(refused.flatMap(({ items }) => items)).to.deep.equal([]);
  });
});
