import { createTestServer, type QuireServer } from '@quire/core';
import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Answer, field, file, post } from '../support/client.js';
import { makeZip, type ZipEntry } from '../support/zip.js';

const probe = fileURLToPath(new URL('../../../../shared/tools/probe.py', import.meta.url));
const note = existsSync(probe) ? '' : ' (skipped: no ../shared/corpus)';
const given = existsSync(probe) ? it : it.skip;
/** Runs the probe without compressing the gigabytes of its PDFs, which take a while and are not sent here. */
const WITHOUT_BOMBS = `import runpy, sys, zlib
real = zlib.compressobj
class Nothing:
  compress = flush = lambda self, *_: b''
# Archives give more arguments.
zlib.compressobj = lambda *given: real(*given) if len(given) > 1 else Nothing()
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name='__main__')`;

/** Every way for markup to request something external, with the address of a listener that must receive no request. */
function reaching(base: string): string {
  const at = (name: string): string => `${base}/${name}`;
  return `<!doctype html><html><head><base href="${at('base/')}"><link rel="stylesheet" href="${at('link.css')}"><link
  rel="preconnect" href="${base}"><link rel="dns-prefetch" href="${base}"><link rel="prefetch" href="${at('prefetch')}">
<meta http-equiv="refresh" content="0;url=${at('refresh')}"><style>@import url(${at('import.css')});
@font-face{font-family:x;src:url(${at('font.woff2')})} body{background:url('${at('body.png')}');font-family:x}
p::before{content:url(${at('before.png')})}</style>
<script src="${at('script.js')}"></script><script>fetch('${at('fetch')}');new Image().src='${at('image')}';for(;;);</script></head>
<body onload="fetch('${at('onload')}')"><p>Plain words</p><img src="${at('img.png')}" srcset="${at('set.png')} 2x"
  onerror="fetch('${at('onerror')}')"><img src="file:///etc/passwd"><img src="//${base.slice(7)}/scheme.png"><img
  src="\\\\${base.slice(7)}\\share.png">
<iframe src="${at('frame')}"></iframe><iframe src="file:///etc/passwd"></iframe><iframe srcdoc="<img
  src='${at('srcdoc')}'>"></iframe><object data="${at('object')}"></object><embed src="${at('embed')}"><video
  src="${at('video')}" poster="${at('poster.png')}"></video><audio src="${at('audio')}"></audio>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><image
  href="${at('svg.png')}"/><image xlink:href="${at('xlink.png')}"/><use href="${at('use.svg#a')}"/><foreignObject><img
  src="${at('foreign.png')}"></foreignObject></svg>
<div style="background-image:url(${at('style.png')});list-style:url(${at('list.png')})">styled</div><form
  action="${at('form')}"><input type="image" src="${at('input.png')}"></form><table
  background="${at('table.png')}"><tr><td>cell</td></tr></table></body></html>`;
}

describe('Untrusted files', function () {
  this.timeout(180_000);
  let server: QuireServer;
  let url: string;
  let canary: Server;
  let base: string;
  let folder: string;
  const heard: string[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-untrusted-'));
    canary = createServer((request, response) => {
      heard.push(String(request.url));
      response.end('heard');
    });
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(canary.address() as AddressInfo).port}`;
    server = await createTestServer({ plugins: ['@quire/plugin-convert', '@quire/plugin-misc'] });
    url = await server.start();
  });
  after(async () => {
    await server.stop();
    canary.close();
    await rm(folder, { recursive: true, force: true });
  });

  const deliver = (
    path: string,
    name: string,
    bytes: Uint8Array,
    fields: Record<string, string> = {},
  ): Promise<Answer> =>
    post(`${url}/api/v1/convert/${path}`, [
      file(bytes, name),
      ...Object.entries(fields).map(([key, value]) => field(key, value)),
    ]);
  const zip = (entries: readonly ZipEntry[]): Buffer => makeZip(entries);
  /** The words of a PDF answer; empty for other answers. */
  const words = (answer: Answer): string =>
    answer.status === 200 && answer.body.subarray(0, 5).toString() === '%PDF-'
      ? execFileSync('pdftotext', ['-', '-'], { input: answer.body, encoding: 'utf8' })
      : '';

  /** Expects the document or a clear refusal, in time, without an outside call and without this machine's files. */
  async function harmless(
    path: string,
    name: string,
    bytes: Uint8Array,
    fields: Record<string, string> = {},
  ): Promise<Answer> {
    const before = heard.length;
    const answer = await deliver(path, name, bytes, fields);
    expect(
      answer.status,
      `${path} ${name}: ${answer.status === 200 ? '' : answer.body.toString('utf8').slice(0, 300)}`,
    ).to.satisfy((status: number) => status === 200 || (status >= 400 && status < 500));
    expect(heard.slice(before), `${path} ${name} called`).to.deep.equal([]);
    expect(
      Buffer.from(answer.body).includes('root:x:0') || words(answer).includes('root:'),
      `${path} ${name} read a file`,
    ).to.equal(false);
    return answer;
  }

  it('call no server when they are web pages, Markdown, mails or e-books', async () => {
    const html = Buffer.from(reaching(base));
    expect(words(await harmless('html/pdf', 'page.html', html))).to.contain('Plain words');
    expect(words(await harmless('html/pdf', 'page.zip', zip([{ name: 'index.html', bytes: html }])))).to.contain(
      'Plain words',
    );
    expect(
      words(
        await harmless(
          'markdown/pdf',
          'page.md',
          Buffer.from(`# Title\n\nPlain words ![x](${base}/md.png) <img src="${base}/raw.png">\n\n${reaching(base)}`),
        ),
      ),
    ).to.contain('Plain words');
    const mail =
      `From: a@example.org\r\nTo: b@example.org\r\nSubject: hello\r\nDate: Tue, 6 Jan 2026 15:04:00 +0000\r\n` +
      `MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${reaching(base)}`;
    expect(words(await harmless('eml/pdf', 'mail.eml', Buffer.from(mail)))).to.contain('Plain words');
    const downloaded = await harmless('eml/pdf', 'mail.eml', Buffer.from(mail), { downloadHtml: 'true' });
    expect(downloaded.body.toString('utf8')).not.to.match(/<script|onerror|onload|<iframe/i);
    const book = zip([
      { name: 'mimetype', bytes: Buffer.from('application/epub+zip') },
      {
        name: 'META-INF/container.xml',
        bytes: Buffer.from(
          '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>' +
            '<rootfile full-path="a.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
        ),
      },
      {
        name: 'a.opf',
        bytes: Buffer.from(
          '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="i"><metadata ' +
            'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="i">x</dc:identifier><dc:title>' +
            't</dc:title><dc:language>en</dc:language></metadata><manifest><item id="c" href="c.xhtml" ' +
            'media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>',
        ),
      },
      {
        name: 'c.xhtml',
        bytes: Buffer.from(
          `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title><link rel="stylesheet" href="` +
            `${base}/epub.css"/></head><body><p>Plain words</p><img src="${base}/epub.png" alt=""/><img ` +
            `src="file:///etc/passwd" alt=""/><script>1</script></body></html>`,
        ),
      },
    ]);
    expect(words(await harmless('ebook/pdf', 'book.epub', book))).to.contain('Plain words');
  });

  it('reach neither the network nor other files when they are drawings', async () => {
    for (const inner of [
      `<image href="${base}/a.png" width="9" height="9"/>`,
      '<image href="file:///etc/passwd" width="9" height="9"/>',
      `<style>@import url(${base}/a.css);</style><rect width="9" height="9"/>`,
    ]) {
      await harmless(
        'svg/pdf',
        'drawing.svg',
        Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">${inner}</svg>`),
      );
    }
  });

  it('cannot expand XML entities or read files through them', async () => {
    const external = '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>';
    const laughs =
      `<!DOCTYPE r [<!ENTITY a "ha">` +
      `${Array.from({ length: 15 }, (_, i) => `<!ENTITY ${String.fromCharCode(98 + i)} "${`&${String.fromCharCode(97 + i)};`.repeat(10)}">`).join('')}` +
      ']>';
    for (const doctype of [external, laughs]) {
      const entity = doctype === external ? '&x;' : '&p;';
      await harmless(
        'svg/pdf',
        'a.svg',
        Buffer.from(
          `<?xml version="1.0"?>${doctype.replaceAll(' r ', ' svg ')}<svg xmlns="http://www.w3.org/2000/svg" ` +
            `width="9" height="9"><text>${entity}</text></svg>`,
        ),
      );
      await harmless(
        'ebook/pdf',
        'a.fb2',
        Buffer.from(
          `<?xml version="1.0"?>${doctype}<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0">` +
            `<description/><body><section><p>${entity}</p></section></body></FictionBook>`,
        ),
      );
      await harmless(
        'file/pdf',
        'a.fodt',
        Buffer.from(
          `<?xml version="1.0"?>${doctype}<office:document ` +
            `xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" ` +
            `xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.3" ` +
            `office:mimetype="application/vnd.oasis.opendocument.text"><office:body><office:text><text:p>` +
            `${entity}</text:p></office:text></office:body></office:document>`,
        ),
      );
    }
  });

  it('cannot write outside the folder of their archive or fill the disk from it', async () => {
    const bomb = Buffer.alloc(30 * 1024 * 1024);
    const members = (name: string, bytes: Uint8Array) => zip([{ name, bytes }]);
    for (const [path, name, plain] of [
      ['html/pdf', 'a.zip', 'index.html'],
      ['markdown/pdf', 'a.zip', 'index.md'],
      ['cbz/pdf', 'a.cbz', '1.png'],
      ['ebook/pdf', 'a.epub', 'mimetype'],
    ] as const) {
      for (const label of [`../../../${plain}`, `/tmp/${plain}`, `..\\${plain}`, `C:\\${plain}`])
        expect((await harmless(path, name, members(label, Buffer.from('x')))).status, `${path} ${label}`).to.equal(400);
      expect(
        (await harmless(path, name, zip([{ name: plain, bytes: Buffer.from('/etc/passwd'), mode: 0o120777 }]))).status,
        `${path} link`,
      ).to.equal(400);
      expect((await harmless(path, name, members(plain, bomb))).status, `${path} bomb`).to.equal(400);
    }
  });

  it('are refused before an image of 60 000 by 60 000 pixels is decoded', async () => {
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
    const rest = Buffer.alloc(17);
    rest.writeUInt32BE(60_000, 0);
    rest.writeUInt32BE(60_000, 4);
    rest.set([8, 2, 0, 0, 0], 8);
    const { crc32 } = await import('node:zlib');
    rest.writeUInt32BE(crc32(Buffer.concat([png.subarray(12), rest.subarray(0, 13)])), 13);
    const end = Buffer.from('0000000049454e44ae426082', 'hex');
    expect((await harmless('img/pdf', 'huge.png', Buffer.concat([png, rest, end]))).status).to.equal(400);
  });

  given(`do none of what the founders' hostile samples try${note}`, async () => {
    execFileSync('python3', ['-c', WITHOUT_BOMBS, probe, 'gen', folder, '--canary', base], { stdio: 'ignore' });
    const paths: Readonly<Record<string, readonly string[]>> = {
      html: ['html/pdf', 'file/pdf'],
      md: ['markdown/pdf'],
      svg: ['svg/pdf'],
      eml: ['eml/pdf'],
      docx: ['file/pdf', 'ebook/pdf'],
      fodt: ['file/pdf'],
      zip: ['html/pdf', 'markdown/pdf'],
    };
    for (const name of readdirSync(folder)) {
      for (const path of paths[name.split('.').at(-1) ?? ''] ?? [])
        await harmless(path, name, await readFile(join(folder, name)));
    }
  });
});
