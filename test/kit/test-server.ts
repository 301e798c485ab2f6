import type { QuireServer, TestServerOptions } from '@quire/core';

/** A server for tests and its base folder. */
export type TestServer = QuireServer & { readonly basePath: string };

/**
 * Creates a server for tests: the production one, on a temporary base path and a free port. Core is loaded by the first
 * call, so that tests which only create PDFs stay fast.
 */
export async function createTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const core = await import('@quire/core');
  return core.createTestServer(options);
}
