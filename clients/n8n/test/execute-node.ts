import { loadNode, type Binary, type Item } from './load-node.js';

const node = loadNode('Quire');

export interface Execution {
  readonly url: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly items?: readonly Item[];
  readonly continueOnFail?: boolean;
}

/** Runs the node as n8n does, with the members of n8n's context that it uses. Requests go to the real server. */
export async function executeNode({ url, parameters, items = [{ json: {} }], ...rest }: Execution): Promise<Item[]> {
  const binaryOf = (item: number, field: string): Binary => {
    const binary = items[item]?.binary?.[field];
    if (binary === undefined)
      throw new Error(`This operation expects the node's input data to contain a file "${field}"`);
    return binary;
  };
  const context = {
    getInputData: () => items,
    getNode: () => ({ name: 'Quire' }),
    getNodeParameter: (name: string, _item: number, fallback?: unknown) => parameters[name] ?? fallback,
    getCredentials: async () => ({ baseUrl: `${url}/`, apiKey: '' }),
    continueOnFail: () => rest.continueOnFail === true,
    helpers: {
      assertBinaryData: binaryOf,
      getBinaryDataBuffer: async (item: number, field: string) => binaryOf(item, field).bytes,
      prepareBinaryData: async (bytes: Buffer, fileName: string, mimeType: string) => ({ bytes, fileName, mimeType }),
      httpRequestWithAuthentication: sent,
    },
  };
  const [output = []] = await node.execute.call(context);
  return output;
}

async function sent(
  _credentials: string,
  request: { url: string; method: string; headers: Record<string, string>; body?: Buffer },
): Promise<{ statusCode: number; headers: Record<string, string>; body: ArrayBuffer }> {
  const { url, method } = request;
  // As n8n's own requests prefer JSON.
  const headers = { Accept: 'application/json, text/plain, */*', ...request.headers };
  const body = request.body === undefined ? {} : { body: new Uint8Array(request.body) };
  const answer = await fetch(url, { method, headers, ...body });
  return {
    statusCode: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: await answer.arrayBuffer(),
  };
}
