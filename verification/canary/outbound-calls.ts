import type { createTestServer } from '@quire/core';
import { execFileSync } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { makePdf } from '../../test/kit/make-pdf.js';
import { Authority } from '../../test/pki/index.js';

type TestServer = Awaited<ReturnType<typeof createTestServer>>;

/** A call that must not reach the canary, and how the server answered. */
export interface Outcome {
  readonly way: string;
  readonly target: string;
  readonly status: number;
  readonly code: string;
}

/**
 * Settings of a server that calls out wherever callers can request it: all features are on, and one address of this
 * machine is allowed, so that a service there can redirect elsewhere.
 */
export const callingSettings = (port: number): Readonly<Record<string, unknown>> => ({
  system: { enableUrlToPDF: true },
  outbound: { allowed: ['127.0.0.1'] },
  security: {
    timestamp: { customTsaUrls: [`http://127.0.0.1:${port}/on`] },
    validation: {
      allowAIA: true,
      revocation: { mode: 'ocsp+crl' },
      trust: { useSystemTrust: false, useMozillaBundle: false },
    },
  },
});

/**
 * A service at the allowed address that refers to others: `/on?<address>` redirects there, `/page?…` is a page with
 * images and other resources from there, any other path answers JSON with the address.
 */
export class Guide {
  private constructor(private readonly server: Server) {}

  static async start(): Promise<Guide> {
    const server = createServer((request, response) => {
      const [path = '', ...query] = (request.url ?? '').split('?');
      const target = decodeURIComponent(query.join('?'));
      request.resume();
      if (path === '/on') response.writeHead(302, { location: target }).end();
      else if (path === '/page')
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(
            `<base href="${target}/base/"><link rel=stylesheet href="${target}/css"><img ` +
              `src="${target}/img"><iframe src="${target}/frame"></iframe><script src="${target}/js"></script><p ` +
              `style="background:url(${target}/bg)">Words`,
          );
      else
        response
          .writeHead(200, { 'content-type': 'application/json', 'x-result': target })
          .end(JSON.stringify({ url: target, token: 't0ken' }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Guide(server);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  to(way: 'on' | 'page' | 'json', target: string): string {
    return `http://127.0.0.1:${this.port}/${way}?${encodeURIComponent(target)}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** Makes a server call addresses through every feature that calls out, and records the outcomes. */
export class OutboundCalls {
  readonly outcomes: Outcome[] = [];
  #pdf: Uint8Array<ArrayBuffer> = new Uint8Array();

  constructor(
    private readonly server: TestServer,
    private readonly guide: Guide,
    private readonly folder: string,
  ) {}

  /** Addresses that a caller names directly. */
  async named(targets: readonly string[]): Promise<void> {
    this.#pdf = Uint8Array.from(await makePdf({ pages: 1 }));
    for (const target of targets) {
      await this.#post('url to PDF', target, 'convert/url/pdf', { urlInput: `${target}/page` });
      await this.#post('time stamp', target, 'security/timestamp-pdf', { tsaUrl: `${target}/tsr` }, true);
      await this.#post(
        'call-back of a job',
        target,
        'general/rotate-pdf',
        { async: 'true', angle: '90', callbackUrl: `${target}/hook` },
        true,
      );
      await this.#connection('connection', target, { baseUrl: target });
      await this.#connection('login of a connection', target, {
        baseUrl: target,
        authType: 'TOKEN_LOGIN',
        loginPath: '/login',
        tokenResponseJsonPath: 'token',
        username: 'a',
        password: 'b',
      });
    }
  }

  /** Addresses that an allowed service redirects or links to. */
  async ledTo(targets: readonly string[]): Promise<void> {
    for (const target of targets) {
      const { guide } = this;
      await this.#post('redirect of a web page', target, 'convert/url/pdf', { urlInput: guide.to('on', target) });
      await this.#post('what a web page shows', target, 'convert/url/pdf', { urlInput: guide.to('page', target) });
      await this.#post(
        'redirect of a call-back',
        target,
        'general/rotate-pdf',
        { async: 'true', angle: '90', callbackUrl: guide.to('on', target) },
        true,
      );
      const base = `http://127.0.0.1:${guide.port}`;
      await this.#connection(
        'redirect of a connection',
        target,
        { baseUrl: base },
        { path: `on?${encodeURIComponent(target)}` },
      );
      await this.#connection('redirect of a login', target, {
        baseUrl: base,
        authType: 'TOKEN_LOGIN',
        loginPath: `/on?${encodeURIComponent(target)}`,
        tokenResponseJsonPath: 'token',
        username: 'a',
        password: 'b',
      });
      const [, host = ''] = /^http:\/\/(.*?):\d+$/.exec(target) ?? [];
      for (const how of [{ resultUrlPath: 'url' }, { resultUrlHeader: 'x-result' }])
        await this.#connection(
          'result of a connection',
          target,
          { baseUrl: base, resultUrlHosts: [host] },
          { path: `json?${encodeURIComponent(`${target}/result`)}`, responseMode: 'replace', ...how },
        );
    }
    await this.#post(
      'redirect of a time stamp',
      targets[0] ?? '',
      'security/timestamp-pdf',
      { tsaUrl: `http://127.0.0.1:${this.guide.port}/on` },
      true,
    );
  }

  /** Addresses in the certificate of a signature: its issuer, OCSP responder and revocation list. */
  async ofCertificates(targets: readonly string[]): Promise<void> {
    for (const [i, target] of targets.entries()) {
      const home = join(this.folder, `pki-${i}`);
      await mkdir(home, { recursive: true });
      const root = await Authority.root(join(home, 'root'), { name: 'Root', key: 'p256' });
      const signer = await root.issue({
        name: 'Signer',
        key: 'rsa2048',
        ocsp: `${target}/ocsp`,
        crl: `${target}/list.crl`,
        issuer: `${target}/issuer.cer`,
      });
      const form = this.#form({ certType: 'PEM', name: 'S', reason: 'x', location: 'y' }, true);
      form.append('privateKeyFile', new Blob([new Uint8Array(await readFile(signer.keyFile))]), 'key.pem');
      form.append('certFile', new Blob([new Uint8Array(await readFile(signer.certificateFile))]), 'cert.pem');
      const signed = await this.#send('signing', target, 'security/cert-sign', form);
      if (signed === undefined) throw new Error('nothing was signed');
      const check = new FormData();
      check.append('fileInput', new Blob([signed]), 'signed.pdf');
      check.append('certFile', new Blob([new Uint8Array(root.own.certificate)]), 'root.cer');
      await this.#send('validation of a signature', target, 'security/validate-signature', check);
    }
  }

  /**
   * Documents that refer to external resources (`probe.py gen`). Throws when an output contains a file of this machine.
   */
  async ofDocuments(files: readonly string[]): Promise<void> {
    const paths: Readonly<Record<string, readonly string[]>> = {
      html: ['html/pdf', 'file/pdf'],
      md: ['markdown/pdf'],
      svg: ['svg/pdf'],
      eml: ['eml/pdf'],
      docx: ['file/pdf'],
      fodt: ['file/pdf'],
      zip: ['html/pdf', 'markdown/pdf'],
    };
    for (const file of files) {
      const bytes = Uint8Array.from(await readFile(file));
      const name = file.split('/').at(-1) ?? '';
      for (const path of paths[name.split('.').at(-1) ?? ''] ?? []) {
        const form = new FormData();
        form.append('fileInput', new Blob([bytes]), name);
        const answer = await this.#send(`document, convert/${path}`, name, `convert/${path}`, form);
        if (answer === undefined) continue;
        const text = execFileSync('pdftotext', ['-', '-'], {
          input: Buffer.from(answer),
          encoding: 'utf8',
          maxBuffer: 1 << 26,
        });
        if (/root:.*:0:0/.test(text) || Buffer.from(answer).includes('root:x:0:0'))
          throw new Error(`${name} returned a file of this machine`);
      }
    }
  }

  async #connection(
    way: string,
    target: string,
    config: object,
    params: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const made = await fetch(`${this.server.url}/api/v1/integrations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ integrationType: 'API', name: 'canary', config: { timeoutSeconds: 5, ...config } }),
    });
    const { id, code = '' } = (await made.json()) as { readonly id?: number; readonly code?: string };
    if (made.status !== 200) this.outcomes.push({ way, target, status: made.status, code });
    else await this.#post(way, target, 'integration/external-api-call', { connectionId: String(id), ...params }, true);
  }

  #form(fields: Readonly<Record<string, string>>, document: boolean): FormData {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    if (document) form.append('fileInput', new Blob([this.#pdf]), 'a.pdf');
    return form;
  }

  async #post(
    way: string,
    target: string,
    path: string,
    fields: Readonly<Record<string, string>>,
    document = false,
  ): Promise<void> {
    await this.#send(way, target, path, this.#form(fields, document));
  }

  /** Returns the bytes of a 200 answer. */
  async #send(way: string, target: string, path: string, form: FormData): Promise<ArrayBuffer | undefined> {
    const answer = await fetch(`${this.server.url}/api/v1/${path}`, {
      method: 'POST',
      body: form,
      signal: AbortSignal.timeout(120_000),
    });
    const bytes = await answer.arrayBuffer();
    this.outcomes.push({
      way,
      target,
      status: answer.status,
      code: answer.ok ? '' : ((JSON.parse(Buffer.from(bytes).toString()) as { readonly code?: string }).code ?? ''),
    });
    return answer.status === 200 ? bytes : undefined;
  }
}
