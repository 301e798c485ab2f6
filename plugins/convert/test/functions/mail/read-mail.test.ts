import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { binary, compound, outlook, packedRtf, properties } from '../../../fixtures/mail-files.js';
import { isMail, readMail } from '../../../src/functions/mail/read-mail.js';

const fixture = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../../fixtures/${name}`, import.meta.url)));
const mail = (...lines: string[]): Uint8Array => Buffer.from(lines.join('\r\n'), 'latin1');
const head = ['From: a@example.com', 'To: b@example.com', 'Subject: x'];
const code = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'read',
    (error: { code?: string }) => error.code ?? String(error),
  );

describe('Reading a mail', () => {
  it('reads names, subject and date in the encodings that they name', async () => {
    const { subject, from, to, date } = await readMail(fixture('scripts.eml'));
    expect([subject, from[0]?.name, to[0], date]).to.deep.equal([
      '日本語の件名 / رسالة',
      '山田太郎',
      { name: 'أحمد', address: 'ahmad@example.org' },
      new Date('2025-12-31T15:05:00Z'),
    ]);
  });

  it('reads bodies in windows-1252, however Node decodes it', async () => {
    const { text } = await readMail(
      mail(...head, 'Content-Type: text/plain; charset=windows-1252', '', 'price: 5 \x80 \x96 \x93now\x94'),
    );
    expect(text?.trim()).to.equal('price: 5 € – “now”');
  });

  it('names attachments as they name themselves, after RFC 2231 too, and numbers the others', async () => {
    const { attachments } = await readMail(fixture('report.eml'));
    expect(attachments.map(({ name, mediaType }) => [name, mediaType])).to.deep.equal([
      ['logo.png', 'image/png'],
      ['für Bob.csv', 'text/csv'],
      ['attachment-3.eml', 'message/rfc822'],
      ['attachment-4.pdf', 'application/pdf'],
    ]);
  });

  it('takes no folder of a name', async () => {
    const { attachments } = await readMail(
      mail(
        ...head,
        'Content-Type: application/octet-stream; name="../../etc/passwd"',
        'Content-Disposition: attachment',
        '',
        'x',
      ),
    );
    expect(attachments[0]?.name).to.equal('passwd');
  });

  it('keeps mails within a mail as attachments, however deep they go on', async () => {
    let inner = 'From: z@example.com\r\nSubject: last\r\n\r\nend';
    for (let i = 0; i < 1000; i++)
      inner =
        `From: a@example.com\r\nSubject: level ${i}\r\nMIME-Version: 1.0\r\nContent-Type: message/rfc822\r\n\r\n` +
        `${inner}`;
    const { subject, attachments } = await readMail(Buffer.from(inner));
    expect([subject, attachments.length, attachments[0]?.mediaType]).to.deep.equal(['level 999', 1, 'message/rfc822']);
  });

  it('remembers where a picture says that it comes from', async () => {
    const { attachments } = await readMail(
      mail(
        ...head,
        'MIME-Version: 1.0',
        'Content-Type: multipart/related; boundary=b',
        '',
        '--b',
        'Content-Type: text/html',
        '',
        '<img src="http://example.com/a.png">',
        '--b',
        'Content-Type: image/png',
        'Content-Location: http://example.com/a.png',
        'Content-Transfer-Encoding: base64',
        '',
        'aGk=',
        '--b--',
      ),
    );
    expect(attachments[0]?.location).to.equal('http://example.com/a.png');
  });

  it('shows what is signed openly, and what is signed as a whole', async () => {
    const part = 'Content-Type: text/plain\r\n\r\nThe signed words';
    const open = await readMail(
      mail(
        ...head,
        'MIME-Version: 1.0',
        'Content-Type: multipart/signed; boundary=s; protocol="application/pkcs7-signature"',
        '',
        '--s',
        part,
        '--s',
        'Content-Type: application/pkcs7-signature; name=smime.p7s',
        '',
        'AA',
        '--s--',
      ),
    );
    expect([open.text?.trim(), open.attachments[0]?.name]).to.deep.equal(['The signed words', 'smime.p7s']);
    const whole = await readMail(
      mail(
        ...head,
        'MIME-Version: 1.0',
        'Content-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m',
        'Content-Transfer-Encoding: base64',
        '',
        signedData(part).toString('base64'),
      ),
    );
    expect(whole.text?.trim()).to.equal('The signed words');
  });

  it('says of an encrypted mail that it is encrypted', async () => {
    const smime = await readMail(
      mail(...head, 'MIME-Version: 1.0', 'Content-Type: application/pkcs7-mime; smime-type=enveloped-data', '', 'MIIB'),
    );
    const pgp = await readMail(
      mail(
        ...head,
        'MIME-Version: 1.0',
        'Content-Type: multipart/encrypted; boundary=e',
        '',
        '--e',
        'Content-Type: application/pgp-encrypted',
        '',
        'Version: 1',
        '--e',
        'Content-Type: application/octet-stream',
        '',
        'x',
        '--e--',
      ),
    );
    expect([smime.sealed, pgp.sealed].map((text) => /S\/MIME|OpenPGP/.exec(text ?? '')?.[0])).to.deep.equal([
      'S/MIME',
      'OpenPGP',
    ]);
  });

  it('unwraps what Outlook wrapped in winmail.dat', async () => {
    const { attachments, html } = await readMail(
      mail(
        ...head,
        'MIME-Version: 1.0',
        'Content-Type: application/ms-tnef; name=winmail.dat',
        'Content-Transfer-Encoding: base64',
        '',
        tnef().toString('base64'),
      ),
    );
    expect(html).to.equal('<p>From inside</p>');
    expect(attachments.map(({ name, content }) => [name, Buffer.from(content).toString()])).to.deep.equal([
      ['a long name.txt', 'wrapped bytes'],
    ]);
  });

  it('reads a message of Outlook with its body in packed RTF', async () => {
    const { subject, from, to, cc, date, html, text, attachments } = await readMail(fixture('outlook.msg'));
    expect([subject, from, to, cc, date]).to.deep.equal([
      'Message of Outlook',
      [{ name: 'Grace Hopper', address: 'grace@example.com' }],
      [{ name: 'Ada Lovelace', address: 'ada@example.com' }],
      [{ name: 'Alan Turing', address: 'alan@example.com' }],
      new Date('2026-01-06T15:04:00Z'),
    ]);
    expect([html, text]).to.deep.equal([
      '<html><body><p>Grüße aus 日本<b>fett</b></p><img src="cid:pic@outlook"></body></html>',
      'The plain body',
    ]);
    expect(attachments.map(({ name, contentId, content }) => [name, contentId, content.length > 0])).to.deep.equal([
      ['picture.png', 'pic@outlook', true],
      ['note.txt', undefined, true],
    ]);
  });

  it('reads the words of a body that was written as RTF', async () => {
    const rtf = String.raw`{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}\pard Plain \b bold\b0  Gr\'fc\'dfe \u26085?\par Second}`;
    expect((await readMail(compound([properties(32), binary('1009', packedRtf(rtf))]))).text).to.match(
      /^Plain bold Grüße 日\r?\nSecond$/,
    );
    expect((await readMail(compound([properties(32), binary('1009', packedRtf(rtf).subarray(0, 14))]))).text).to.equal(
      undefined,
    );
  });

  it('reads words of RTF that declares UTF-16 as what they are: bytes', async () => {
    const words = Array.from({ length: 2000 }, (_, i) => 'x'.repeat(2 * (i % 200) + 1));
    for (const declared of [String.raw`\ansicpg1200`, String.raw`\ansicpg01200`]) {
      const rtf = String.raw`{\rtf1\ansi${declared}\fromtext Stra\'dfe \\cpg1200 ${words.join('{}')}}`;
      const { text } = await readMail(compound([properties(32), binary('1009', packedRtf(rtf))]));
      expect(text).to.equal(String.raw`Straße \cpg1200 ${words.join('')}`);
    }
    const font = String.raw`{\rtf1\ansi{\fonttbl{\f0\cpg1200 Arial;}}\pard\f0 Plain}`;
    expect((await readMail(compound([properties(32), binary('1009', packedRtf(font))]))).text).to.equal('Plain');
  });

  it('makes a message within a message of Outlook a file that can be read again', async () => {
    const { attachments } = await readMail(await outlook({ within: true }));
    const inner = attachments.find(({ name }) => name.endsWith('.msg'));
    expect(inner?.mediaType).to.equal('application/vnd.ms-outlook');
    expect(await readMail(inner?.content ?? new Uint8Array(0))).to.include({
      subject: 'The inner message',
      text: 'inner text',
    });
  });

  it('knows a mail by its headers, also behind the line of a mailbox', async () => {
    expect([
      isMail(mail('Subject: a', 'Date: b')),
      isMail(mail('MIME-Version: 1.0', '', 'x')),
      isMail(mail('Content-Type: multipart/mixed;', '\tboundary=x', '', 'x')),
      isMail(mail('Subject: only')),
      isMail(mail('To: a', 'Cc: b')),
    ]).to.deep.equal([true, true, true, false, false]);
    expect((await readMail(mail('From bob Mon Jan  5 09:00:00 2026', ...head, '', 'words'))).subject).to.equal('x');
  });

  it('refuses a file that is not a mail, naming the field and what was found', async () => {
    const error = (await readMail(fixture('no-mail.eml')).catch((reason: unknown) => reason)) as {
      code: string;
      errors: { pointer: string; detail: string }[];
    };
    expect([error.code, error.errors[0]?.pointer]).to.deep.equal(['MAIL_UNREADABLE', '/fileInput']);
    expect(error.errors[0]?.detail).to.include('This is only a text');
    expect(await code(readMail(compound([{ name: 'WordDocument', data: Buffer.alloc(10) }])))).to.equal(
      'MAIL_UNREADABLE',
    );
    expect(await code(readMail(fixture('outlook.msg').slice(0, 600)))).to.equal('MAIL_UNREADABLE');
  });

  it('reads what is cut off or damaged as far as it goes', async () => {
    const report = fixture('report.eml');
    const { subject, attachments } = await readMail(report.slice(0, report.length - 700));
    expect([subject, attachments.length > 0]).to.deep.equal(['Quarterly report – Überblick', true]);
    const {
      attachments: [broken],
    } = await readMail(
      mail(
        ...head,
        'MIME-Version: 1.0',
        'Content-Type: image/png',
        'Content-Transfer-Encoding: base64',
        '',
        '!!!not base64!!!',
      ),
    );
    expect(broken?.name).to.equal('attachment-1.png');
  });

  it('bounds parts within parts, headers, and what looks like boundaries', async () => {
    const nested = (depth: number): Uint8Array =>
      mail(
        ...head,
        'MIME-Version: 1.0',
        ...Array.from({ length: depth }, (_each, i) => `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}`),
        'Content-Type: text/plain',
        '',
        'deep',
      );
    expect([await code(readMail(nested(10))), await code(readMail(nested(40)))]).to.deep.equal([
      'read',
      'MAIL_UNREADABLE',
    ]);
    expect(await code(readMail(mail(...head, `X-Long: ${'x'.repeat(9 * 1024 * 1024)}`, '', 'x')))).to.equal(
      'MAIL_UNREADABLE',
    );
    expect(
      await code(
        readMail(
          mail(
            ...head,
            'MIME-Version: 1.0',
            'Content-Type: multipart/mixed; boundary=b',
            '',
            ...Array.from({ length: 60_000 }, () => '--b\r\n'),
          ),
        ),
      ),
    ).to.equal('INPUT_TOO_COMPLEX');
  });
});

/** A CMS that signs these words (RFC 5652), without signers. */
function signedData(words: string): Buffer {
  const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
    const body = Buffer.concat(parts);
    const length =
      body.length < 128 ? Buffer.from([body.length]) : Buffer.from([0x82, body.length >> 8, body.length & 255]);
    return Buffer.concat([Buffer.from([tag]), length, body]);
  };
  const oid = (hex: string): Buffer => der(6, Buffer.from(hex, 'hex'));
  const data = der(0x30, oid('2a864886f70d010701'), der(0xa0, der(4, Buffer.from(words))));
  return der(
    0x30,
    oid('2a864886f70d010702'),
    der(0xa0, der(0x30, der(2, Buffer.from([1])), der(0x31), data, der(0x31))),
  );
}

/** A TNEF stream with an HTML body and a file (MS-OXTNEF). */
function tnef(): Buffer {
  const attribute = (level: number, id: number, data: Buffer): Buffer => {
    const start = Buffer.alloc(9);
    start.writeUInt8(level, 0);
    start.writeUInt32LE(id, 1);
    start.writeUInt32LE(data.length, 5);
    return Buffer.concat([start, data, Buffer.alloc(2)]);
  };
  const padded = (data: Buffer): Buffer => Buffer.concat([data, Buffer.alloc((4 - (data.length & 3)) & 3)]);
  const u32 = (value: number): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    return bytes;
  };
  const property = (id: number, type: number, data: Buffer): Buffer =>
    Buffer.concat([u32(id * 0x10000 + type), u32(1), u32(data.length), padded(data)]);
  const body = Buffer.concat([
    u32(2),
    u32(0x00170003),
    u32(1),
    property(0x1013, 0x102, Buffer.from('<p>From inside</p>')),
  ]);
  const names = Buffer.concat([u32(1), property(0x3707, 0x1f, Buffer.from('a long name.txt\0', 'utf16le'))]);
  return Buffer.concat([
    u32(0x223e9f78),
    Buffer.from([1, 0]),
    attribute(1, 0x00069003, body),
    attribute(2, 0x00069002, Buffer.alloc(14)),
    attribute(2, 0x00018010, Buffer.from('ALONGN~1.TXT\0')),
    attribute(2, 0x0006800f, Buffer.from('wrapped bytes')),
    attribute(2, 0x00069005, names),
  ]);
}
