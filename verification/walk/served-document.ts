import { createTestServer } from '@quire/core';

/**
 * Returns the answer of `/v1/api-docs` as text, without opening a port. Features that are off by default are documented
 * as well.
 */
export async function servedDocument(): Promise<string> {
  const server = await createTestServer({ settings: { 'system.enableUrlToPDF': true } });
  try {
    await server.start();
    const { statusCode, payload } = await server.inject('/v1/api-docs');
    if (statusCode !== 200) throw new Error(`/v1/api-docs answered ${statusCode}: ${payload}`);
    return payload;
  } finally {
    await server.stop();
  }
}
