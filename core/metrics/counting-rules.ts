/** Information, pages, browser files, documentation and probes do not count as usage. */
const asideFolders =
  /^\/(?:api\/v1\/info|js|images|fonts|pdfjs|pdfium|v1\/api-docs|site\.webmanifest|livez|readyz|actuator)(?:\/|$)/;
const staticFile = /\.(?:png|ico|css|txt|map|svg|js|toml|wasm)$/;

/**
 * True if a call of a route counts (`docs/interface/info.yml`, common rules). `path` is the path of the request without
 * the context path. Calls without a matching route are not passed here.
 */
export function isCounted(method: string, path: string): method is 'GET' | 'POST' {
  if (method !== 'GET' && method !== 'POST') return false;
  if (method === 'POST' && !path.includes('api/v1')) return false;
  return !asideFolders.test(path) && !path.includes('swagger') && !path.includes('.txt') && !staticFile.test(path);
}
