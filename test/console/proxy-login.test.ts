/// <reference lib="dom" />
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { answers, freePort, hasNginx, startNginx, stopNginx } from '../http/support/nginx.js';
import { until } from '../http/support/server.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';

const secret = 'a-secret-of-the-proxy-0123456789';

describe('The console behind a proxy that logs users in', function () {
  this.timeout(180_000);
  if (!hasNginx) return it('needs nginx');
  let folder: string;
  let nginx: ChildProcess | undefined;
  let browser: ConsoleBrowser;

  before(async function create() {
    folder = await mkdtemp(join(tmpdir(), 'quire-proxy-login-'));
    const [outer, inner] = [await freePort(), await freePort()];
    const opened = await openConsole(
      {
        settings: {
          server: { port: inner, trustedProxies: ['127.0.0.1'] },
          security: {
            enableLogin: true,
            initialLogin: { username: 'boss', password: 'the-password-of-the-boss' },
            proxyLogin: {
              enabled: true,
              trustedProxies: ['127.0.0.1'],
              secret,
              userHeader: 'Remote-User',
              name: 'Our proxy',
            },
          },
        },
        plugins: ['@quire/plugin-general'],
      },
      { at: `http://127.0.0.1:${outer}` },
    );
    if (opened === undefined) return this.skip();
    browser = opened;
    nginx = await startNginx(
      folder,
      `server {
        listen 127.0.0.1:${outer};
        location / {
          proxy_pass http://127.0.0.1:${inner};
          proxy_set_header Host $http_host;
          proxy_set_header Remote-User ada;
          proxy_set_header X-Quire-Proxy-Secret ${secret};
        }
      }`,
    );
    await until('nginx answers', () => answers(outer));
  });
  after(async () => {
    await (browser as ConsoleBrowser | undefined)?.stop();
    await stopNginx(nginx);
    await rm(folder, { recursive: true, force: true });
  });

  it('logs the user of the proxy in with one button, and comes back to where the login began', async () => {
    const page = await browser.open('account');
    const button = await page.waitForSelector('button::-p-text(Our proxy)');
    await button?.click();
    await page.waitForSelector('.account .line');
    expect(new URL(page.url()).pathname).to.equal('/account');
    expect(new URL(page.url()).hash, 'the token leaves the address').to.equal('');
    expect(await page.$eval('.account', ({ textContent }) => textContent)).to.contain('ada');
    await page.close();
    expect(browser.faults).to.deep.equal([]);
  });
});
