import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { createTestServer, type QuireServer } from '@quire/core';
import { callOperation, makePdf, type OperationAnswer } from '@quire/plugin-kit';
import { expect } from 'chai';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

interface Received {
  readonly from: string;
  readonly to: readonly string[];
  readonly data: string;
}

/** A real mail server on loopback that stores every message. */
async function mailServer(
  options: SMTPServerOptions = {},
): Promise<{ readonly port: number; readonly mails: Received[]; stop(): Promise<void> }> {
  const mails: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    closeTimeout: 100,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          data: Buffer.concat(chunks).toString('latin1'),
        });
        done();
      });
    },
    ...options,
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    mails,
    port: (server.server.address() as AddressInfo).port,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}

describe('send-email over SMTP', function () {
  this.timeout(60_000);
  const running: { stop(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const each of running.splice(0).reverse()) await each.stop();
  });

  const started = async (port: number, settings: Record<string, unknown> = {}): Promise<string> => {
    const server: QuireServer = await createTestServer({
      plugins: ['@quire/plugin-general'],
      settings: { mail: { enabled: true, host: '127.0.0.1', port, from: 'quire@example.org', ...settings } },
    });
    running.push(server);
    return server.start();
  };
  const mailbox = async (options?: SMTPServerOptions) => {
    const mails = await mailServer(options);
    running.push(mails);
    return mails;
  };
  const send = async (
    url: string,
    params: Record<string, unknown>,
    file = { name: 'Bericht – März.pdf', bytes: undefined as Uint8Array | undefined },
  ): Promise<OperationAnswer> =>
    callOperation(url, {
      path: 'general/send-email',
      files: [{ name: file.name, bytes: file.bytes ?? (await makePdf({ pages: 1, text: ['hello'] })) }],
      params,
    });
  const text = (answer: OperationAnswer): string => new TextDecoder().decode(answer.bytes);

  it("sends the file under its own name and type, with subject and HTML, and returns the contract's text", async () => {
    const box = await mailbox();
    const bytes = await makePdf({ pages: 2, text: ['a', 'b'] });
    const answer = await send(
      await started(box.port),
      { to: 'ann@example.org', subject: 'Grüße', body: '<p>Hällo <b>Ann</b></p>' },
      { name: 'Bericht – März.pdf', bytes },
    );
    expect([answer.status, answer.headers.get('content-type')?.split(';')[0], text(answer)]).to.deep.equal([
      200,
      'text/plain',
      'Email sent successfully',
    ]);
    const [mail] = box.mails;
    expect([mail?.from, mail?.to]).to.deep.equal(['quire@example.org', ['ann@example.org']]);
    expect(mail?.data)
      .to.match(/^Subject: =\?UTF-8\?/m)
      .and.to.match(/^Content-Type: text\/html; charset=utf-8/m)
      .and.to.match(/^Content-Type: application\/pdf;/m)
      .and.to.match(/filename\*0\*=utf-8''Bericht%20%E2%80%93/);
    expect(mail?.data.replaceAll(/\r\n/g, '')).to.contain(Buffer.from(bytes).toString('base64').slice(0, 2000));
    expect(mail?.data).to.contain('H=C3=A4llo <b>Ann</b>');
  });

  it('has a default subject and text, and sends any file type unchanged', async () => {
    const box = await mailbox();
    const answer = await send(
      await started(box.port),
      { to: 'ann@example.org' },
      { name: 'data.xyz', bytes: new Uint8Array([0, 1, 2, 255]) },
    );
    expect(answer.status).to.equal(200);
    expect(box.mails[0]?.data)
      .to.match(/^Subject: A file from Quire\r$/m)
      .and.to.contain('AAEC/w==')
      .and.to.match(/Content-Type: application\/octet-stream; name=data\.xyz/);
  });

  it('sends one message to several recipients, to each only once', async () => {
    const box = await mailbox();
    const answer = await send(await started(box.port), { to: 'ann@example.org, bob@example.org; ann@example.org' });
    expect([answer.status, box.mails.length, box.mails[0]?.to]).to.deep.equal([
      200,
      1,
      ['ann@example.org', 'bob@example.org'],
    ]);
  });

  it('refuses invalid addresses, and prevents header injection', async () => {
    const box = await mailbox();
    const url = await started(box.port);
    for (const params of [
      {},
      { to: '' },
      { to: 'ann' },
      { to: 'ann@example.org\r\nBcc: eve@example.org' },
      { to: 'Ann <ann@example.org>' },
      { to: 'ann@exam ple.org' },
      { to: 'a@b@c' },
      { to: ' , ' },
      { to: 'ann@example.org', subject: 'x\r\nBcc: eve@example.org' },
      { to: Array.from({ length: 51 }, (_none, i) => `a${i}@example.org`).join() },
    ]) {
      const answer = await send(url, params);
      const field = 'subject' in params ? '/subject' : '/to';
      expect(
        [answer.status, answer.code, answer.json<{ errors: { pointer: string }[] }>().errors[0]?.pointer],
        JSON.stringify(params).slice(0, 80),
      ).to.deep.equal([400, 'INPUT_INVALID', field]);
    }
    expect(box.mails).to.deep.equal([]);
  });

  it("returns a refusal in the mail server's own words", async () => {
    const box = await mailbox({
      onRcptTo: ({ address }, _session, done) =>
        done(address.startsWith('nobody') ? Object.assign(new Error('No such box here'), { responseCode: 550 }) : null),
    });
    const url = await started(box.port);
    const alone = await send(url, { to: 'nobody@example.org' });
    expect([alone.status, alone.code, alone.json<{ detail: string }>().detail]).to.deep.equal([
      502,
      'MAIL_REFUSED',
      'The mail server rejected the message: 550 No such box here.',
    ]);
    expect(box.mails).to.deep.equal([]);
    const among = await send(url, { to: 'ann@example.org, nobody@example.org' });
    expect([among.status, among.code]).to.deep.equal([502, 'MAIL_REFUSED']);
    expect(among.json<{ detail: string }>().detail).to.match(
      /not for 1 of 2 recipients, the others get it: 550 No such box here/,
    );
    expect(box.mails[0]?.to).to.deep.equal(['ann@example.org']);
  });

  it('reports a refused message, a failed login and an unreachable server, without secrets', async () => {
    const refusing = await mailbox({
      onData: (stream, _session, done) =>
        void stream
          .resume()
          .on('end', () => done(Object.assign(new Error('Spam, says hush-canary'), { responseCode: 554 }))),
    });
    const refused = await send(await started(refusing.port, { password: 'hush-canary' }), { to: 'ann@example.org' });
    expect([refused.status, refused.json<{ detail: string }>().detail]).to.deep.equal([
      502,
      'The mail server rejected the message: 554 Spam, says ***.',
    ]);

    const locked = await mailbox({
      authOptional: false,
      onAuth: (_auth, _session, done) => done(new Error('bad password hush-canary')),
    });
    const failed = await send(await started(locked.port, { username: 'me', password: 'hush-canary' }), {
      to: 'ann@example.org',
    });
    expect([failed.status, failed.code]).to.deep.equal([502, 'REMOTE_UNREACHABLE']);
    expect(text(failed)).to.contain('EAUTH').and.not.to.contain('canary');

    await refusing.stop();
    const away = await send(await started(refusing.port), { to: 'ann@example.org' });
    expect([away.status, away.code]).to.deep.equal([502, 'REMOTE_UNREACHABLE']);
  });

  it('gives up on a silent mail server after its time limit', async () => {
    const silent: Server = createServer((socket) => socket.on('error', () => undefined));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    running.push({ stop: () => new Promise((resolve) => void silent.close(() => resolve())) });
    const server = await createTestServer({
      plugins: ['@quire/plugin-general'],
      settings: {
        mail: {
          enabled: true,
          host: '127.0.0.1',
          port: (silent.address() as AddressInfo).port,
          from: 'quire@example.org',
        },
        operations: { 'general/send-email': { timeout: '1s' } },
      },
    });
    running.push(server);
    const answer = await send(await server.start(), { to: 'ann@example.org' });
    expect([answer.status, answer.code]).to.deep.equal([504, 'TIMEOUT']);
  });

  it('reports that mail is not set up, and refuses a file above its limit', async () => {
    const off = await createTestServer({ plugins: ['@quire/plugin-general'] });
    running.push(off);
    const answer = await send(await off.start(), { to: 'ann@example.org' });
    expect([answer.status, answer.code]).to.deep.equal([503, 'SERVICE_NOT_SET_UP']);
    const box = await mailbox();
    const large = await send(
      await started(box.port),
      { to: 'ann@example.org' },
      { name: 'large.bin', bytes: new Uint8Array(25 * 1024 * 1024 + 1) },
    );
    expect([large.status, large.code, box.mails.length]).to.deep.equal([413, 'INPUT_TOO_LARGE', 0]);
  });

  it('is not available as a pipeline step', async () => {
    const box = await mailbox();
    const url = await started(box.port);
    const form = new FormData();
    form.append(
      'json',
      JSON.stringify({
        pipeline: [{ operation: '/api/v1/general/send-email', parameters: { to: 'ann@example.org' } }],
      }),
    );
    const answer = await fetch(`${url}/api/v1/pipeline/validate`, { method: 'POST', body: form });
    expect(await answer.text()).to.contain('cannot be a pipeline step');
  });
});
