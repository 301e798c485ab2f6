import { expect } from 'chai';
import { isCounted } from './counting-rules.js';

describe('Counting', () => {
  it('include calls of the API', () => {
    for (const path of ['/api/v1/misc/repair', '/api/v1/convert/pdf/text', '/api/v1/information'])
      expect(isCounted('POST', path), path).to.equal(true);
    for (const path of ['/', '/api/v1/general/job/1', '/settings', '/jsonschema'])
      expect(isCounted('GET', path), path).to.equal(true);
  });

  it('exclude information, browser files, documentation and probes', () => {
    const paths = [
      '/api/v1/info',
      '/api/v1/info/status',
      '/js/a',
      '/images/a',
      '/fonts/a',
      '/pdfjs/viewer',
      '/pdfium/x',
      '/v1/api-docs',
      '/v1/api-docs/system',
      '/site.webmanifest',
      '/swagger-ui/index.html',
      '/a/swagger.json',
      '/logo.png',
      '/favicon.ico',
      '/a.css',
      '/robots.txt',
      '/a.txt/b',
      '/a.map',
      '/a.svg',
      '/a.js',
      '/a.toml',
      '/a.wasm',
      '/livez',
      '/readyz',
      '/actuator/health',
    ];
    for (const path of paths) expect(isCounted('GET', path), path).to.equal(false);
  });

  it('exclude posts outside the API, and all other methods', () => {
    expect(isCounted('POST', '/login')).to.equal(false);
    for (const method of ['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'BREW'])
      expect(isCounted(method, '/api/v1/misc/repair'), method).to.equal(false);
  });
});
