import { createTestServer } from './test-server.js';

/** A server that runs as long as the suite. */
export interface SuiteServer {
  /** Its address; known once the suite's hooks have run. */
  readonly url: string;
}

/**
 * Starts a server before the tests of the calling suite, and stops it after them. Has the parameters of
 * `createTestServer`.
 */
export function serverForTests(...options: Parameters<typeof createTestServer>): SuiteServer {
  let running: Awaited<ReturnType<typeof createTestServer>> | undefined;
  let url = '';
  before(async () => {
    running = await createTestServer(...options);
    url = await running.start();
  });
  after(() => running?.stop());
  return {
    get url() {
      return url;
    },
  };
}
