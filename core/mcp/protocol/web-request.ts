import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { EndpointAnswer } from '@quire/registry';
import type { ProtocolCall } from './protocol-call.js';

const STREAM = 'text/event-stream';
/** Headers that the protocol reads; credentials stay here. */
const PASSED = /^(content-type|mcp-.*|last-event-id)$/;
const NO_STORE = { 'cache-control': 'private, no-store' } as const;

/** Returns a call as the library takes it. The library gets the parsed body separately. */
export function webRequest({ headers, base, signal }: ProtocolCall): Request {
  const passed = Object.entries(headers).flatMap(([name, value]) =>
    value !== undefined && PASSED.test(name) ? [[name, value] as [string, string]] : [],
  );
  return new Request(`${base}/mcp`, {
    method: 'POST',
    headers: [...passed, ['accept', `application/json, ${STREAM}`]],
    signal,
  });
}

/**
 * Returns the library's answer as that of an endpoint. A client that does not accept an event stream gets the last
 * message of it, which is the answer, as JSON.
 */
export async function endpointAnswer(
  response: Response,
  { headers: { accept = '*/*' } }: Pick<ProtocolCall, 'headers'>,
): Promise<EndpointAnswer> {
  const { status, body } = response;
  const isStream = response.headers.get('content-type')?.startsWith(STREAM) === true;
  if (body !== null && isStream && accept.includes(STREAM))
    return {
      status,
      headers: NO_STORE,
      stream: { mediaType: STREAM, body: Readable.fromWeb(body as ReadableStream<Uint8Array>) },
    };
  const text = await response.text();
  const json = isStream ? lastMessage(text) : text;
  return json === '' ? { status, headers: NO_STORE } : { status, headers: NO_STORE, json: JSON.parse(json) as unknown };
}

/** The data of the last event (HTML, 9.2.6); the library writes each message on one line. */
function lastMessage(events: string): string {
  const data = events.split(/\r?\n/).filter((line) => line.startsWith('data:') && line.trim() !== 'data:');
  return data.at(-1)?.slice('data:'.length).trim() ?? '';
}

/** A fault of the message itself (JSON-RPC 2.0, 5.1), which has no id to answer. */
export function faultAnswer(code: -32700 | -32600, message: string): EndpointAnswer {
  return { status: 400, headers: NO_STORE, json: { jsonrpc: '2.0', error: { code, message } } };
}
