import { expect } from 'chai';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { Authority, type Issued } from '../../../test/pki/index.js';
import { codeOf } from '../../../test/suites/code-of.js';
import { keptLog } from '../../../test/suites/memory-accounts.js';
import { createMailer } from './mailer.js';

const message = { to: 'ann@example.org', subject: 'x', text: 'y' };

describe('The certificate of the mail server', function () {
  this.timeout(30_000);
  let folder: string;
  let own: Authority;
  let foreign: Authority;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-mail-tls-'));
    own = await Authority.root(join(folder, 'own'), { name: 'Own authority' });
    foreign = await Authority.root(join(folder, 'foreign'), { name: 'Foreign authority' });
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const named = (authority: Authority, alternative: string): Promise<Issued> =>
    authority.issue({ name: 'mail', purpose: 'server', extensions: [`subjectAltName=${alternative}`] });

  /** The code of sending a mail to a server with this certificate, `none` when it was accepted. */
  async function sending(issued: Issued, mail: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const server = await tlsMailServer(issued);
    const values: Readonly<Record<string, unknown>> = {
      enabled: true,
      host: 'localhost',
      port: (server.address() as AddressInfo).port,
      username: '',
      password: '',
      from: 'quire@example.org',
      startTlsEnable: true,
      startTlsRequired: false,
      sslEnable: true,
      sslTrust: '',
      sslCheckServerIdentity: true,
      ...mail,
    };
    const settings = {
      get: <T>(path: string): T =>
        (path === 'system.caBundle' ? own.own.certificateFile : values[path.replace('mail.', '')]) as T,
    };
    try {
      return await codeOf(createMailer(settings, keptLog()).send(message));
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  }

  it('must be for the host of the settings, by an authority of Node or of system.caBundle', async () => {
    expect(await sending(await named(own, 'DNS:localhost'))).to.equal('none');
    expect(await sending(await named(own, 'DNS:mail.attacker.example'))).to.equal('REMOTE_UNREACHABLE');
    expect(await sending(await named(foreign, 'DNS:localhost'))).to.equal('REMOTE_UNREACHABLE');
  });

  it('may be for another name when mail.sslCheckServerIdentity is false, but not by another authority', async () => {
    const unchecked = { sslCheckServerIdentity: false };
    expect(await sending(await named(own, 'DNS:mail.attacker.example'), unchecked)).to.equal('none');
    expect(await sending(await named(foreign, 'DNS:localhost'), unchecked)).to.equal('REMOTE_UNREACHABLE');
  });

  it('may be anything for a host that mail.sslTrust names', async () => {
    expect(await sending(await named(foreign, 'DNS:other.example'), { sslTrust: 'localhost' })).to.equal('none');
  });

  it('is reported in the log when its name is not checked', () => {
    const warnings = (sslCheckServerIdentity: boolean, enabled = true): number => {
      const log = keptLog();
      const values: Readonly<Record<string, unknown>> = { enabled, host: 'h', from: 'a@b.c', sslCheckServerIdentity };
      createMailer({ get: <T>(path: string): T => values[path.replace('mail.', '')] as T }, log);
      return log.lines.filter((line) => line.includes('sslCheckServerIdentity')).length;
    };
    expect([warnings(true), warnings(false), warnings(false, false)]).to.deep.equal([0, 1, 0]);
  });
});

/** A mail server on loopback with implicit TLS that accepts every mail. */
async function tlsMailServer({ keyFile, certificateFile }: Issued): Promise<Server> {
  const server = createServer({ key: await readFile(keyFile), cert: await readFile(certificateFile) }, (socket) => {
    let body: string | undefined;
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      const text = chunk.toString('utf8');
      if (body !== undefined) {
        body += text;
        if (!body.endsWith('\r\n.\r\n')) return;
        body = undefined;
      } else if (/^DATA/i.test(text)) body = '';
      socket.write(body === undefined ? '250 fine\r\n' : '354 go on\r\n');
      if (/^QUIT/i.test(text)) socket.end();
    });
    socket.write('220 test\r\n');
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
