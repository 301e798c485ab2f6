import { expect } from 'chai';
import { InputError } from '@quire/registry';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readMail } from '../../../../test/http/support/mail-parts.js';
import { MailServer } from '../../../../test/http/support/mail-server.js';
import { codeOf } from '../../../../test/suites/code-of.js';
import { contextForTest, DeliveryForTest, describeDestination, validated } from '../../../../test/suites/connectors.js';
import { keptLog } from '../../../../test/suites/memory-accounts.js';
import { createMailer } from '../../../network/mail/index.js';
import { mailDestination } from './mail-destination.js';

/** What a stranger has written into an invoice. */
const invoice = {
  number: 'R/2026\r\nBcc: eve@example.org',
  date: '2026-01-30',
  due: '',
  type: '380',
  seller: `Seller ${'x'.repeat(500)}`,
  buyer: 'Buyer',
  total: '119.00',
  currency: 'EUR',
};

/** A mail server on loopback and the destination that uses it. */
async function mailing() {
  let server = await MailServer.start();
  let { settings } = server;
  const mails = (): MailServer['mails'] => server.mails;
  let before: MailServer['mails'] = [];
  return {
    get kind() {
      const reader = { get: <T>(path: string): T => values(settings)[path.replace('mail.', '')] as T };
      return mailDestination({
        mailer: createMailer(reader, keptLog()),
        clock: { now: () => new Date('2026-01-31T10:00:00Z') },
        invoiceOf: (file) =>
          file.kind === 'pdf' ? Promise.resolve(invoice) : Promise.reject(new InputError('INVOICE_NONE')),
      });
    },
    mails: () => [...before, ...mails()],
    turnOff: () => void (settings = { ...settings, enabled: false }),
    breakDown: async () => {
      before = [...before, ...server.mails];
      await server.stop();
    },
    repair: async () => {
      server = await MailServer.start();
      ({ settings } = server);
    },
    close: () => server.stop(),
  };
}

const values = (settings: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => ({
  username: '',
  password: '',
  startTlsEnable: false,
  startTlsRequired: false,
  sslEnable: false,
  sslTrust: '',
  sslCheckServerIdentity: true,
  ...settings,
});

/** The attachment of a mail. */
function attachmentOf(data: string): { readonly name: string; readonly content: Buffer } {
  const boundary = /boundary="([^"]+)"/.exec(data)?.[1] ?? '';
  const part = data.split(`--${boundary}`).find((each) => /Content-Disposition: attachment/i.test(each)) ?? '';
  const [head = '', body = ''] = part.split('\r\n\r\n');
  return { name: /filename="?([^"\r\n;]+)"?/.exec(head)?.[1] ?? '', content: Buffer.from(body, 'base64') };
}

const messageIdOf = (data: string): string => /^Message-ID: (.*)$/im.exec(data)?.[1] ?? '';
const options = { to: ['ann@example.org'] };

describe('Mail', () => {
  let made: Awaited<ReturnType<typeof mailing>>;
  let folder: string;
  beforeEach(async () => {
    made = await mailing();
    folder = await mkdtemp(join(tmpdir(), 'quire-mail-'));
    await writeFile(join(folder, 'result'), 'content');
  });
  afterEach(async () => {
    await made.close();
    await rm(folder, { recursive: true });
  });

  const deliver = async (more: object, delivery = new DeliveryForTest('one')): Promise<void> => {
    const open = await made.kind.open(validated(made.kind, { ...options, ...more }), contextForTest());
    const file = {
      path: join(folder, 'result'),
      name: 'a\r\nBcc: eve@example.org.pdf',
      size: 7,
      mediaType: 'text/plain',
    };
    await open.deliver(file, delivery.attempt());
  };

  it('has subject and text with placeholders, which begin no other header', async () => {
    await deliver({ subject: '{{automation}}: {{file.name}}', text: 'From {{input}} on {{date}}' });
    const [mail] = made.mails();
    const { subject, text } = readMail(mail?.data ?? '');
    expect([subject, text.trim()]).to.deep.equal(['Invoices: a Bcc: eve@example.org.pdf', 'From in.pdf on 2026-01-31']);
    expect(mail?.data).not.to.match(/^Bcc:/im);
    expect(mail?.to).to.deep.equal(['<ann@example.org>']);
  });

  it('says what is in the invoice that it carries, in one line and shortened', async () => {
    const file = { path: join(folder, 'result'), name: 'a.pdf', size: 7, mediaType: 'application/pdf' };
    const more = { subject: '{{invoice.number}}', text: '{{invoice.seller}}: {{invoice.total}} {{invoice.currency}}' };
    await made.kind.check(validated(made.kind, { ...options, ...more }), contextForTest());
    const open = await made.kind.open(validated(made.kind, { ...options, ...more }), contextForTest());
    await open.deliver(file, new DeliveryForTest('one').attempt());
    const [mail] = made.mails();
    const { subject, text } = readMail(mail?.data ?? '');
    expect(subject).to.equal('R/2026 Bcc: eve@example.org');
    expect(text.trim()).to.equal(`Seller ${'x'.repeat(73)}: 119.00 EUR`);
    expect(mail?.data).not.to.match(/^Bcc:/im);
  });

  it('is not sent with holes where the file is no invoice', async () => {
    const given = validated(made.kind, { ...options, subject: '{{invoice.number}}' });
    const open = await made.kind.open(given, contextForTest());
    for (const name of ['a.xml', 'a.txt']) {
      const file = { path: join(folder, 'result'), name, size: 7, mediaType: 'text/plain' };
      expect(await codeOf(open.deliver(file, new DeliveryForTest('one').attempt()))).to.equal('INVOICE_NONE');
    }
    expect(made.mails()).to.deep.equal([]);
  });

  it('has the same Message-ID in every attempt', async () => {
    const delivery = new DeliveryForTest('one');
    const crash = { call: 1, stored: false };
    const open = await made.kind.open(validated(made.kind, options), contextForTest());
    const file = { path: join(folder, 'result'), name: 'a.pdf', size: 7, mediaType: 'application/pdf' };
    await open.deliver(file, delivery.attempt(crash)).catch(() => undefined);
    await open.deliver(file, delivery.attempt());
    const ids = made.mails().map(({ data }) => messageIdOf(data));
    expect(ids).to.have.length(2);
    expect(new Set(ids).size).to.equal(1);
    expect(ids[0]).to.match(/^<[0-9a-f]{32}@example\.org>$/);
  });

  it('is not sent with a file that is too large, nor to a recipient that is refused', async () => {
    expect(await codeOf(deliver({ maxBytes: 6 }))).to.equal('INPUT_TOO_LARGE');
    expect(await codeOf(deliver({ to: ['refused@example.org'] }))).to.equal('MAIL_REFUSED');
    expect(made.mails()).to.deep.equal([]);
  });

  it('needs addresses, known placeholders and a mail server', async () => {
    for (const more of [{ to: ['nobody'] }, { subject: '{{unknown}}' }, { text: '{{input.name}}' }])
      expect(await codeOf(made.kind.check(validated(made.kind, { ...options, ...more }), contextForTest()))).to.equal(
        'DESTINATION_INVALID',
      );
    made.turnOff();
    expect(await codeOf(made.kind.check(validated(made.kind, options), contextForTest()))).to.equal(
      'DESTINATION_INVALID',
    );
    expect(await codeOf(deliver({}))).to.equal('DESTINATION_UNREACHABLE');
  });
});

describeDestination('mail', async () => {
  const made = await mailing();
  return {
    get kind() {
      return made.kind;
    },
    options,
    received: async () => {
      const mails = new Map(made.mails().map(({ data }) => [messageIdOf(data), data]));
      return [...mails.values()].map(attachmentOf);
    },
    breakDown: made.breakDown,
    repair: made.repair,
    blamed: undefined,
    close: made.close,
  };
});
