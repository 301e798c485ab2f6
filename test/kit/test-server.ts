import type { QuireServer, TestServerOptions } from '@quire/core';

/** A server for tests and the folder that it writes to. */
export type TestServer = QuireServer & { readonly basePath: string };

/**
 * Makes a server for tests: the production one, on a temporary base path and a free port. Core is loaded by the first
 * call, so that tests which only make PDFs stay quick.
 */
export async function createTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const core = await import('@quire/core');
  return core.createTestServer(options);
}
