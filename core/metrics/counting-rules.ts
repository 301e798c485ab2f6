/** Information, pages and files of the browser, documentation and probes: looking is not using. */
const asideFolders =
  /^\/(?:api\/v1\/info|js|images|fonts|pdfjs|pdfium|v1\/api-docs|site\.webmanifest|livez|readyz|actuator)(?:\/|$)/;
const staticFile = /\.(?:png|ico|css|txt|map|svg|js|toml|wasm)$/;

/**
 * Whether a call of a route counts (`docs/interface/info.yml`, common rules). `path` is the request's path without the
 * context path. A call that no route answers never comes here.
 */
export function isCounted(method: string, path: string): method is 'GET' | 'POST' {
  if (method !== 'GET' && method !== 'POST') return false;
  if (method === 'POST' && !path.includes('api/v1')) return false;
  return !asideFolders.test(path) && !path.includes('swagger') && !path.includes('.txt') && !staticFile.test(path);
}
