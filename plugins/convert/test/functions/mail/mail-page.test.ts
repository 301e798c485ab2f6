import { expect } from 'chai';
import type { Mail, MailAttachment } from '../../../src/functions/mail/mail.js';
import { fileSize, mailDate, mailPage } from '../../../src/functions/mail/mail-page.js';
import { textToHtml } from '../../../src/functions/mail/mail-text.js';

const picture: MailAttachment = {
  name: 'a.png',
  mediaType: 'image/png',
  content: Buffer.from('PNG'),
  contentId: 'Pic@x',
  location: 'http://example.com/a.png',
};
const mail = (more: Partial<Mail>): Mail => ({
  subject: 'S',
  from: [{ name: 'A <b>', address: 'a@example.com' }],
  to: [{ name: '', address: 'b@example.com' }],
  cc: [],
  bcc: [],
  attachments: [],
  ...more,
});
const page = (more: Partial<Mail>, options: Partial<Parameters<typeof mailPage>[1]> = {}): string =>
  mailPage(mail(more), { allRecipients: true, embeds: () => false, ...options }).html;
const body = (html: string, attachments: readonly MailAttachment[] = []): string =>
  page({ html, attachments }).split('<div class="mail-body"')[1] ?? '';

describe('The page of a mail', () => {
  it('writes dates in UTC as the contract has them', () => {
    expect(mailDate(new Date('2026-01-06T15:04:59Z'))).to.equal('Tue, Jan 6, 2026 at 3:04 PM UTC');
    expect(mailDate(new Date('2026-12-31T00:00:00Z'))).to.equal('Thu, Dec 31, 2026 at 12:00 AM UTC');
    expect(mailDate('some day')).to.equal('some day');
  });

  it('takes every header for text', () => {
    const html = page({
      subject: '<script>1</script>',
      from: [{ name: '"><img src=x>', address: 'a"@example.com' }],
      date: '<b>',
    });
    expect(html).to.not.match(/<script|<img|<b>/);
    expect(html).to.include('&lt;script&gt;1');
  });

  it('leaves out copies when it is asked to', () => {
    const more = { cc: [{ name: '', address: 'copy@example.com' }], bcc: [{ name: '', address: 'blind@example.com' }] };
    expect(page(more)).to.include('CC:').and.include('BCC:').and.include('blind@example.com');
    expect(page(more, { allRecipients: false })).to.not.match(/copy@example|blind@example|CC:/);
  });

  it('shows a thousand recipients and counts the others', () => {
    const html = page({
      to: Array.from({ length: 100_000 }, (_each, i) => ({ name: '', address: `r${i}@example.com` })),
    });
    expect(html).to.include('r999@example.com').and.include('and 99000 more').and.not.include('r1000@example.com');
  });

  it("puts the mail's own pictures into the page and does not list them", () => {
    const html = page({
      html: '<img src="CID:pic%40x"><img src="http://example.com/a.png"><td background="cid:pic@x">',
      attachments: [picture],
    });
    expect(html.match(/data:image\/png;base64,UE5H/g)).to.have.length(3);
    expect(html).to.not.include('Attachments (');
  });

  it('never fetches: what is elsewhere goes, and what it is called stays', () => {
    const html = body(
      '<img src="http://127.0.0.1:9/a.png" alt="Sales & more"><img src="//127.0.0.1:9/b" width="1" alt="t">' +
        '<img src="file:///etc/passwd"><link rel="stylesheet" href="http://127.0.0.1:9/s.css"><iframe ' +
        'src="http://127.0.0.1:9/"></iframe><p style="color: red; background: url(http://127.0.0.1:9/c)">x</p>' +
        '<object data="http://127.0.0.1:9/o"></object><svg><image href="http://127.0.0.1:9/i"/></svg><video ' +
        'poster="http://127.0.0.1:9/v"></video><form action="http://127.0.0.1:9/f"><input></form>',
    );
    expect(html).to.not.match(/127\.0\.0\.1|passwd/);
    expect(html)
      .to.include('<span class="mail-absent">Sales &amp; more</span>')
      .and.include('<p style="color: red">x</p>');
  });

  it('keeps style sheets, for the body alone and without what they fetch', () => {
    const html = page({
      html:
        '<style>@import "http://127.0.0.1:9/i.css"; @font-face { font-family: F; src: url(http://127.0.0.1:9/f) ' +
        '} body, p.x { color: #123456; background: u\\rl(http://127.0.0.1:9/b) } @media print { .y { width: 1px; ' +
        'position: absolute } } </style><p class="x">x</p>',
    });
    const style = /@scope \(\.mail-body\) \{[\s\S]*?<\/style>/.exec(html)?.[0] ?? '';
    expect(style).to.include(':scope, p.x').and.include('#123456').and.include('width: 1px');
    expect(html).to.not.match(/127\.0\.0\.1|@import|@font-face|position: absolute/);
  });

  it('lets style end nothing but itself', () => {
    expect(
      page({
        html:
          '<style>p { content: "</sty" } a { b: c </style><p>after</p><style>/* <\\/style><script>' +
          'alert(1)</script> */</style>',
      }),
    ).to.not.match(/<script/);
  });

  it('keeps boxes in the flow of the text, and names of the body apart from those of the page', () => {
    const html = body(
      '<div style="position: fixed; top: 0; color: blue" id="top"><a href="#top">up</a><a ' +
        'href="javascript:alert(1)">js</a><a href="attachment:0">steal</a></div>',
    );
    expect(html).to.include('style="top: 0; color: blue"').and.include('id="mail-top"').and.include('href="#mail-top"');
    expect(html).to.not.match(/javascript:|href="attachment:/);
  });

  it('shows a picture that refers to itself once', () => {
    const html = page({
      html: '<img src="cid:a">'.repeat(3),
      attachments: [
        {
          ...picture,
          mediaType: 'image/svg+xml',
          contentId: 'a',
          content: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="cid:a"/></svg>'),
        },
      ],
    });
    expect(html.match(/data:image\/svg/g)).to.have.length(3);
  });

  it('lists attachments with their sizes, and marks what is embedded', () => {
    const { html, listed } = mailPage(
      mail({ text: 'x', attachments: [picture, { ...picture, name: 'b<i>.txt', content: Buffer.alloc(1536) }] }),
      { allRecipients: true, embeds: ({ name }) => name === 'a.png' },
    );
    expect(html)
      .to.include('Attachments (2)')
      .and.include('<a href="attachment:0">a.png</a>')
      .and.include('b&lt;i&gt;.txt')
      .and.include('(1.5 KB)');
    expect(listed).to.have.length(2);
    expect([fileSize(0), fileSize(1023), fileSize(1024), fileSize(5 * 1024 ** 2), fileSize(1024 ** 4)]).to.deep.equal([
      '0 B',
      '1023 B',
      '1.0 KB',
      '5.0 MB',
      '1024.0 GB',
    ]);
  });

  it('sets quoted lines in, and makes addresses in text links', () => {
    const html = textToHtml(
      'Hi\n> he said\n>> she said\n> again\nsee https://example.com/a?b=1&c=2, www.example.org or ' +
        'bob@example.com <script>',
    );
    expect(html.match(/<blockquote/g)).to.have.length(2);
    expect(html.match(/<\/blockquote/g)).to.have.length(2);
    expect(html)
      .to.include('<a href="https://example.com/a?b=1&amp;c=2">')
      .and.include('<a href="http://www.example.org">')
      .and.include('<a href="mailto:bob@example.com">')
      .and.not.include('<script');
    expect(textToHtml('> '.repeat(10_000)).length).to.be.lessThan(60_000);
  });

  it('shows the text where the formatted body cannot be shown', () => {
    expect(page({ html: '<p>One &lt; two</p><p>three</p>' }, { plain: true })).to.include('One &lt; two\nthree');
    expect(page({ sealed: 'It is encrypted.' })).to.include('It is encrypted.');
  });
});
