/// <reference lib="dom" />
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePdf } from '@quire/plugin-kit';
import { expect } from 'chai';
import type { ElementHandle, Page } from 'puppeteer-core';
import { openssl } from '../pki/index.js';
import { bossName, bossPassword, globalKey } from '../http/support/login.js';
import { answers, freePort, hasNginx, startNginx, stopNginx } from '../http/support/nginx.js';
import { productRoot, until } from '../http/support/server.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';

describe('The console behind nginx, as the guide configures it', function () {
  this.timeout(180_000);
  if (!hasNginx) return it('needs nginx');

  for (const [title, location, enableLogin] of [
    ['with the sub-path handed on', 'location /tools/ { proxy_pass http://quire; }', true],
    ['with the sub-path cut off', 'location /tools/ { proxy_pass http://quire/; }', true],
    ['without login', 'location /tools/ { proxy_pass http://quire; }', false],
  ] as const)
    describe(title, () => {
      let folder: string;
      let nginx: ChildProcess;
      let browser: ConsoleBrowser;
      before(async function () {
        folder = await mkdtemp(join(tmpdir(), 'quire-nginx-'));
        const [outer, inner] = [await freePort(), await freePort()];
        const site = `https://127.0.0.1:${outer}/tools`;
        const opened = await openConsole(
          {
            settings: {
              server: { port: inner, trustedProxies: ['127.0.0.1'] },
              system: { rootUriPath: '/tools', frontendUrl: site },
              security: {
                enableLogin,
                customGlobalAPIKey: globalKey,
                initialLogin: { username: bossName, password: bossPassword },
              },
            },
            plugins: ['@quire/plugin-general'],
          },
          { at: site, flags: ['--ignore-certificate-errors'] },
        );
        if (opened === undefined) return this.skip();
        browser = opened;
        nginx = await startNginx(folder, await guideConfiguration(folder, outer, inner, location));
        await until('nginx answers', () => answers(outer));
      });
      after(async () => {
        await browser?.stop();
        await stopNginx(nginx);
        await rm(folder, { recursive: true, force: true });
      });

      it('is shown and runs a tool, also after it was loaded again', async () => {
        const page = await browser.open('tool/general/rotate-pdf');
        if (enableLogin) await logIn(page);
        const path = join(folder, 'two.pdf');
        await writeFile(path, await makePdf({ pages: 2 }));
        const input = (await page.waitForSelector('input[type=file]')) as ElementHandle<HTMLInputElement>;
        await input.uploadFile(path);
        await page.click('button[type=submit]');
        await page.waitForSelector('.result-head');
        expect(new URL(page.url()).pathname).to.equal('/tools/tool/general/rotate-pdf');
        await page.reload();
        await page.waitForSelector('h1');
        expect(await page.$eval('h1', (head) => head.textContent)).to.equal('Rotate pages');
        await page.close();
        expect(browser.faults).to.deep.equal([]);
      });

      it('gets the events of a job as they come', async () => {
        const page = await browser.open('');
        const pdf = Buffer.from(await makePdf({ pages: 1 })).toString('base64');
        const events = await page.evaluate(followJob, pdf, globalKey);
        expect(events.join('')).to.match(/^event: complete\ndata: .*"status":"succeeded"/m);
        await page.close();
      });
    });
});

/** Runs in the page: starts a job by relative address and returns the parts of its event stream. */
async function followJob(pdf: string, key: string): Promise<string[]> {
  const headers = { 'x-api-key': key };
  const form = new FormData();
  const bytes = Uint8Array.from(atob(pdf), (letter) => letter.charCodeAt(0));
  form.append('fileInput', new Blob([bytes]), 'one.pdf');
  const started = await fetch('api/v1/general/rotate-pdf?async=true', { method: 'POST', headers, body: form });
  const { jobId } = (await started.json()) as { jobId: string };
  const answer = await fetch(`api/v1/general/job/${jobId}/events`, { headers });
  const parts: string[] = [];
  for await (const part of answer.body!.pipeThrough(new TextDecoderStream())) parts.push(part);
  return parts;
}

async function logIn(page: Page): Promise<void> {
  await page.waitForSelector('input[autocomplete=username]');
  await page.type('input[autocomplete=username]', bossName);
  await page.type('input[autocomplete=current-password]', bossPassword);
  await page.keyboard.press('Enter');
  await page.waitForSelector('input[type=file]');
}

/** The configuration of docs/guides/reverse-proxy.md with these ports, its own certificate, and this location. */
async function guideConfiguration(folder: string, outer: number, inner: number, location: string): Promise<string> {
  const guide = await readFile(join(productRoot, 'docs', 'guides', 'reverse-proxy.md'), 'utf8');
  const site = /```nginx\n(upstream[\s\S]*?)```/.exec(guide)?.[1] ?? expect.fail('the guide has no configuration');
  expect(guide, 'the guide shows the location').to.contain(location);
  const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', 'site.key', '-out', 'site.pem'];
  await openssl(folder, ['req', '-x509', ...key, '-subj', '/CN=tools.example', '-days', '2']);
  return site
    .replace('server 127.0.0.1:8080;', `server 127.0.0.1:${inner};`)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${outer} ssl;`)
    .replace('/etc/ssl/tools.example.pem', join(folder, 'site.pem'))
    .replace('/etc/ssl/tools.example.key', join(folder, 'site.key'))
    .replace('location / { proxy_pass http://quire; }', location);
}
