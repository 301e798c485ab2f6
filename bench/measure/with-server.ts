import { join } from 'node:path';
import { BuiltServer } from '../../verification/corpus/built-server.js';
import { benchFolder } from './inputs.js';

/** Starts the built server with default settings and no log, and stops it afterwards. */
export async function withServer<T>(
  work: (server: BuiltServer) => Promise<T>,
  env: Readonly<Record<string, string>> = {},
): Promise<T> {
  const server = await BuiltServer.start({ base: join(benchFolder, `base-${process.pid}`), logFile: '/dev/null', env });
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}
