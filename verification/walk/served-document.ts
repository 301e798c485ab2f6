import { createTestServer } from '@quire/core';

/**
 * The document that this very code answers at `/v1/api-docs`, as text; no port is opened to a client. What is off until
 * an operator allows it is documented as well.
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
