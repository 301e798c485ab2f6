import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { MailServer } from '../../../test/http/support/mail-server.js';
import { codeOf } from '../../../test/suites/code-of.js';
import { keptLog } from '../../../test/suites/memory-accounts.js';
import { createMailer } from './mailer.js';
import { transportOptions } from './transport-options.js';

const shipped: Readonly<Record<string, unknown>> = {
  enabled: true,
  host: 'mail.example.org',
  port: 587,
  username: '',
  password: '',
  from: 'quire@example.org',
  startTlsEnable: true,
  startTlsRequired: false,
  sslEnable: false,
  sslTrust: '',
  sslCheckServerIdentity: true,
};
const settings = (mail: Readonly<Record<string, unknown>> = {}) => ({
  get: <T>(path: string): T => ({ ...shipped, ...mail })[path.replace('mail.', '')] as T,
});
const message = { to: 'ann@example.org', subject: 'Grüße', text: 'Hällo\nsecret-canary' };

describe('Mail', () => {
  it('goes out with text, subject and files as they are', async () => {
    const server = await MailServer.start();
    try {
      const mailer = createMailer(settings(server.settings), keptLog());
      await mailer.send({
        ...message,
        attachments: [{ name: 'ünï.pdf', mediaType: 'application/pdf', content: Buffer.from('%PDF-1.7 test') }],
      });
      const [mail] = server.mails;
      expect(mail?.to).to.deep.equal(['<ann@example.org>']);
      expect(server.lastTo('ann@example.org')).to.contain(Buffer.from('Hällo').toString('latin1'));
      expect(mail?.data).to.contain(Buffer.from('%PDF-1.7 test').toString('base64'));
      expect(mail?.data)
        .to.match(/^Subject: =\?UTF-8\?/m)
        .and.to.match(/^From: quire@example\.org/m);
    } finally {
      await server.stop();
    }
  });

  it('shares a connection with those that follow it', async () => {
    const server = await MailServer.start();
    const mailer = createMailer(settings(server.settings), keptLog());
    try {
      for (let number = 0; number < 5; number++) await mailer.send({ ...message, subject: `number ${number}` });
      expect([server.connections, server.mails.length]).to.deep.equal([1, 5]);
      await Promise.all(Array.from({ length: 20 }, () => mailer.send(message)));
      expect(server.connections).to.be.within(2, 5);
      expect(server.mails).to.have.length(25);
    } finally {
      await mailer.close();
      await server.stop();
    }
  });

  it('is sent once although its mail server has ended the connection meanwhile', async () => {
    const server = await MailServer.start();
    server.endsConnections = true;
    const mailer = createMailer(settings(server.settings), keptLog());
    try {
      for (const pauseMs of [0, 5, 6, 50]) {
        await mailer.send(message);
        await delay(pauseMs);
      }
      await mailer.send(message);
      expect(server.mails).to.have.length(5);
    } finally {
      await mailer.close();
      await server.stop();
    }
  });

  it('does not keep others waiting when it is stuck and cancelled', async () => {
    const server = await MailServer.start();
    server.silent = true;
    const mailer = createMailer(settings(server.settings), keptLog());
    try {
      const stop = new AbortController();
      const stuck = Array.from({ length: 5 }, () => codeOf(mailer.send(message, stop.signal)));
      while (server.connections < 5) await delay(5);
      stop.abort();
      expect(await Promise.all(stuck)).to.deep.equal(Array.from({ length: 5 }, () => 'CANCELLED'));
      server.silent = false;
      await mailer.send(message);
      expect(server.mails).to.have.length(1);
    } finally {
      await mailer.close();
      await server.stop();
    }
  });

  it('takes one recipient, whatever stands in the address', async () => {
    const server = await MailServer.start();
    try {
      const mailer = createMailer(settings(server.settings), keptLog());
      await mailer
        .send({ ...message, to: 'ann@example.org\r\nBcc: eve@example.org', subject: 'x\r\nBcc: eve@example.org' })
        .catch(() => undefined);
      for (const { to, data } of server.mails) {
        expect(to).to.have.length(1);
        expect(data).not.to.match(/^Bcc:/im);
      }
    } finally {
      await server.stop();
    }
  });

  it('is not set up while it is off or has no host or sender', async () => {
    for (const mail of [{ enabled: false }, { host: '' }, { from: '' }]) {
      const mailer = createMailer(settings(mail), keptLog());
      expect([mailer.usable, await codeOf(mailer.send(message))]).to.deep.equal([false, 'SERVICE_NOT_SET_UP']);
    }
  });

  it('that fails reports the kind of failure and nothing of the mail', async () => {
    const server = await MailServer.start();
    const closed = createServer();
    const port = await new Promise<number>((resolve) =>
      closed.listen(0, '127.0.0.1', () => resolve((closed.address() as AddressInfo).port)),
    );
    await new Promise((resolve) => closed.close(resolve));
    const log = keptLog();
    try {
      for (const [mail, to] of [
        [{ ...server.settings, port }, 'ann@example.org'],
        [server.settings, 'refused@example.org'],
        [{ ...server.settings, startTlsRequired: true }, 'ann@example.org'],
        [{ ...server.settings, sslEnable: true }, 'ann@example.org'],
      ] as const) {
        const error = await createMailer(settings(mail), log)
          .send({ ...message, to })
          .then(
            () => undefined,
            (reason: unknown) => reason as Error & { code: string },
          );
        expect(error?.code).to.equal(to.startsWith('refused') ? 'MAIL_REFUSED' : 'REMOTE_UNREACHABLE');
        expect(error?.message).not.to.match(/canary|@example\.org|127\.0\.0\.1/);
      }
      expect(log.lines).to.have.length(4);
      expect(log.lines.join('\n')).not.to.match(/canary|@example\.org/);
    } finally {
      await server.stop();
    }
  });

  it('is encrypted as the settings say, and checks certificates unless the host is trusted', () => {
    const options = (mail: Readonly<Record<string, unknown>> = {}) => transportOptions(settings(mail));
    expect(options())
      .to.deep.include({ secure: false, ignoreTLS: false, requireTLS: false, tls: { rejectUnauthorized: true } })
      .and.not.to.have.property('auth');
    expect(options({ startTlsEnable: false })).to.include({ ignoreTLS: true });
    expect(options({ startTlsEnable: false, startTlsRequired: true })).to.include({
      ignoreTLS: false,
      requireTLS: true,
    });
    expect(options({ sslEnable: true, port: 465 })).to.include({ secure: true, port: 465 });
    expect(options({ username: 'me', password: 'it' }).auth).to.deep.equal({ user: 'me', pass: 'it' });
    for (const [sslTrust, checks] of [
      ['*', false],
      ['mail.example.org', false],
      ['other.example.org, mail.example.org', false],
      ['other.example.org', true],
      ['example.org', true],
    ] as const)
      expect(options({ sslTrust }).tls.rejectUnauthorized, sslTrust).to.equal(checks);
  });
});
