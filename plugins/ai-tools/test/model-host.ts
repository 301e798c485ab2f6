import { readFile } from 'node:fs/promises';
import { type OperationAnswer, callOperation, createTestServer, type FormFile } from '@quire/plugin-kit';
import { type ModelServer, startModelServer } from '../../../test/fixtures/model-server.js';

/** A server whose model is scripted. */
export interface ModelHost {
  readonly model: ModelServer;
  readonly url: string;
  call(path: string, files: readonly FormFile[], params?: Readonly<Record<string, unknown>>): Promise<OperationAnswer>;
}

/** A fixture of this plugin. */
export async function fixture(name: string): Promise<FormFile> {
  return { name, bytes: new Uint8Array(await readFile(new URL(`../fixtures/${name}`, import.meta.url))) };
}

/**
 * Starts a server with these plugins and a scripted model before the tests of the suite that calls this, and stops both
 * after them.
 */
export function modelHost(
  plugins: readonly string[] = ['@quire/plugin-ai-tools'],
  settings: Readonly<Record<string, unknown>> = {},
): ModelHost {
  let model: ModelServer | undefined;
  let url = '';
  let server: Awaited<ReturnType<typeof createTestServer>> | undefined;
  before(async () => {
    model = await startModelServer();
    server = await createTestServer({ plugins: [...plugins], settings: { ...model.settings, ...settings } });
    url = await server.start();
  });
  after(async () => {
    await server?.stop();
    await model?.stop();
  });
  return {
    get model() {
      return model!;
    },
    get url() {
      return url;
    },
    call: (path, files, params = {}) => callOperation(url, { path, files, params }),
  };
}
