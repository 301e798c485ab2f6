import { readFile } from 'node:fs/promises';
import { withPages } from '@quire/document/layout';
import { callOperation, createTestServer, type OperationAnswer, readZip } from '@quire/plugin-kit';
import { type ModelServer, startModelServer } from '../../../../test/fixtures/model-server.js';

export type File = { readonly name: string; readonly bytes: Uint8Array };
export const fixture = async (name: string): Promise<File> => ({
  name,
  bytes: new Uint8Array(await readFile(new URL(`../../fixtures/${name}`, import.meta.url))),
});
export const fields = (...names: readonly (string | object)[]): { fields: string } => ({
  fields: JSON.stringify(names.map((name) => (typeof name === 'string' ? { name } : name))),
});

/** Starts a server without a language model (`plain`) and one with (`clever`), and stops them after the tests. */
export function docparseServers() {
  let model: ModelServer | undefined;
  const servers: Record<string, { url: string; stop(): Promise<void> }> = {};
  before(async () => {
    const started = await startModelServer();
    model = started;
    for (const [name, settings] of [
      ['plain', {}],
      ['clever', { ...started.settings, 'aiEngine.rag.embeddingModel': 'near' }],
    ] as const) {
      const server = await createTestServer({
        plugins: ['@quire/plugin-docparse', '@quire/plugin-ai-tools'],
        settings,
      });
      servers[name] = { url: await server.start(), stop: () => server.stop() };
    }
  });
  after(async () => {
    for (const server of Object.values(servers)) await server.stop();
    await model?.stop();
  });
  const call = (
    path: string,
    file: File,
    params: Record<string, unknown>,
    server = 'plain',
  ): Promise<OperationAnswer> =>
    callOperation(servers[server]!.url, { path: `docparse/${path}`, files: [file], params });
  const parts = async (answer: OperationAnswer): Promise<string[]> =>
    Promise.all((await readZip(answer.bytes)).map(async ({ name, bytes }) => `${name} ${await pagesOf(bytes)}`));
  const pagesOf = (bytes: Uint8Array): Promise<number> => withPages({ bytes }, ({ pageCount }) => pageCount);

  return {
    call,
    parts,
    pagesOf,
    servers,
    get model(): ModelServer {
      if (model === undefined) throw new Error('the servers have not started');
      return model;
    },
  };
}
