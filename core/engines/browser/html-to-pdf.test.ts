import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { codeOf, info, PrintLab, text } from '../../../test/http/support/print-lab.js';

/** All elements and styles by which a page can load something, each with its own address. */
const reaching = (at: (name: string) => string): string => `<!doctype html><html><head>
<base href="${at('base')}/"><link rel="stylesheet" href="${at('link.css')}"><link rel="preload" as="image"
  href="${at('preload')}"><link rel="prefetch" href="${at('prefetch')}"><link rel="preconnect"
  href="${at('preconnect')}">
<link rel="dns-prefetch" href="${at('dns')}"><link rel="icon" href="${at('icon')}"><link rel="manifest"
  href="${at('manifest')}"><link rel="modulepreload" href="${at('module')}"><meta http-equiv="refresh"
  content="0; url=${at('refresh')}">
<script type="speculationrules">{"prerender":[{"source":"list","urls":["${at('prerender')}"]}]}</script><script
  src="${at('script')}"></script>
<style>@import url("${at('import.css')}"); @font-face { font-family: f; src: url("${at('font')}") } body {
font-family: f; background: url(${at('background')}); cursor: url(${at('cursor')}), auto } li {
list-style-image: url(${at('bullet')}) }
p::before { content: url(${at('content')}) } div { border-image: image-set(url(${at('set')}) 1x);
mask-image: url(${at('mask.svg')}#m); filter: url(${at('filter.svg')}#f);
clip-path: url(${at('clip.svg')}#c) }</style></head>
<body background="${at('body')}"><p
  style="background-image: url('${at('attribute')}')">text</p><ul><li>x</ul><div>d</div>
<img src="${at('img')}"><img srcset="${at('srcset')} 2x" src="x"><picture><source
  srcset="${at('source')}"><img></picture><input type="image" src="${at('input')}"><video src="${at('video')}"
  poster="${at('poster')}" autoplay><track src="${at('track')}" default></video><audio
  src="${at('audio')}" autoplay></audio>
<iframe src="${at('iframe')}"></iframe><iframe srcdoc="&lt;img src='${at('srcdoc')}'&gt;"></iframe><object
  data="${at('object')}"></object><embed src="${at('embed')}"><a href="${at('a')}" ping="${at('ping')}">a</a><form
  action="${at('form')}"><button>b</button></form>
<svg><image href="${at('svg-image')}"/><image xlink:href="${at('svg-xlink')}"/><use
  href="${at('use.svg')}#u"/><foreignObject><img src="${at('foreign')}"></foreignObject><script
  href="${at('svg-script')}"/></svg>
<script>fetch("${at('fetch')}"); new WebSocket("${at('ws').replace('http', 'ws')}"); new Image().src = "${at('js')}";
navigator.sendBeacon("${at('beacon')}"); new RTCPeerConnection({ iceServers: [{
urls: 'stun:127.0.0.1:9' }] })</script></body></html>`;

describe('printing HTML', function () {
  this.timeout(60_000);
  let lab: PrintLab;
  let canary: Server;
  let port: number;
  let calls = 0;

  before(async () => {
    lab = new PrintLab();
    canary = createServer((socket) => {
      calls++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => void canary.listen(0, '127.0.0.1', resolve));
    port = (canary.address() as { port: number }).port;
  });
  after(async () => {
    await lab.end();
    canary.close();
  });

  it('starts nothing before the first document', async () => {
    expect(await lab.browserPids()).to.deep.equal([]);
    expect(readdirSync(lab.folder).filter((name) => name.startsWith('tmp-'))).to.deep.equal([]);
  });

  it('prints tags, an outline of the headings, links, backgrounds and the page size of the style', async () => {
    const pdf = await lab.print(
      lab.write(
        '<!doctype html><html lang="en"><title>T</title><style>@page { size: 100mm 50mm; margin: 5mm } h1 { ' +
          'background: #ff0000 }</style><h1 id="a">First</h1><p style="break-after: page"><a href="#b">in</a> <a ' +
          'href="https://example.org/x">out</a> <a href="gone.html">gone</a></p><h2 id="b">Second</h2>',
      ),
    );
    const facts = info(pdf);
    expect(facts)
      .to.match(/Title:\s+T\n/)
      .and.match(/Tagged:\s+yes/)
      .and.match(/Pages:\s+2/);
    const [, width, height] = /Page size:\s+([\d.]+) x ([\d.]+)/.exec(facts) ?? [];
    expect(Number(width)).to.be.closeTo(283.46, 1);
    expect(Number(height)).to.be.closeTo(141.73, 1);
    expect(info(pdf, '-url')).to.contain('https://example.org/x').and.not.contain('document.invalid');
    const raw = execFileSync('qpdf', ['--qdf', '--object-streams=disable', pdf, '-'], { maxBuffer: 1e8 }).toString(
      'latin1',
    );
    expect(raw)
      .to.match(/\/Type \/Outlines/)
      .and.match(/\/Title \(Second\)/)
      .and.match(/\/Dest/);
  });

  it('takes paper, margins and zoom where the style says nothing, and numbers pages', async () => {
    const page = lab.write(
      '<!doctype html><style>html, body { margin: 0 } div { break-after: page; width: 100px; height: 100px; ' +
        'background: #000 }</style><div></div><div></div>',
    );
    const pdf = await lab.print(page, {
      paper: { width: 300, height: 200 },
      margins: { top: 20, right: 10, bottom: 30, left: 40 },
      zoom: 0.5,
      pageNumbers: true,
    });
    expect(info(pdf)).to.match(/Page size:\s+(300|299\.\d+) x (200|199\.\d+) pts/);
    expect(text(pdf)).to.match(/1\s?\/\s?2[^]*2\s?\/\s?2/);
    execFileSync('pdftoppm', ['-r', '72', '-f', '1', '-l', '1', '-gray', pdf, `${pdf}.p`]);
    const picture = readFileSync(
      readdirSync(join(pdf, '..'))
        .filter((name) => name.endsWith('.pgm'))
        .map((name) => join(pdf, '..', name))[0] ?? '',
    );
    const dark = (x: number, y: number): boolean => (picture[picture.length - 300 * 200 + y * 300 + x] ?? 255) < 128;
    // 100 CSS pixels at half the scale are 37.5 points, from the corner that the margins leave.
    expect([dark(42, 22), dark(75, 55), dark(38, 22), dark(80, 22), dark(42, 60), dark(42, 18)]).to.deep.equal([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it('refuses options that no caller may send', async () => {
    for (const options of [
      { zoom: 3 },
      { zoom: NaN },
      { paper: { width: 0, height: 1 } },
      { zoom: '1' as unknown as number },
    ])
      expect(await codeOf(lab.print(lab.write('x'), options))).to.equal('CONTRACT_BROKEN');
  });

  it('loads files from the folder of the page, and none from elsewhere', async () => {
    const secret = join(lab.folder, 'secret.txt');
    writeFileSync(secret, 'TOP SECRET');
    writeFileSync(join(lab.folder, 'outside.css'), '#b::after { content: "OUTSIDE" }');
    const page = lab.write(
      `<link rel="stylesheet" href="own.css"><link rel="stylesheet" href="../outside.css"><link rel="stylesheet"
  href="linked.css"><link rel="stylesheet" href="/..%2f..%2foutside.css"><p id="a">own</p><p id="b">x</p>
<iframe src="file://${secret}"></iframe><object data="file://${secret}"></object><embed src="linked.txt"><iframe
  src="linked.txt"></iframe><iframe src="../secret.txt"></iframe><img src="file:///etc/passwd"><iframe
  src="//localhost/etc/passwd"></iframe><iframe src="\\\\localhost\\c$\\x"></iframe>`,
      { 'own.css': '#a::after { content: "FOUND" }' },
    );
    symlinkSync(secret, join(page, '..', 'linked.txt'));
    symlinkSync(join(lab.folder, 'outside.css'), join(page, '..', 'linked.css'));
    const shown = text(await lab.print(page));
    expect(shown).to.contain('FOUND').and.not.contain('SECRET').and.not.contain('OUTSIDE').and.not.contain('root:');
  });

  it('prints the fonts and pictures of a style', async () => {
    const font = join(process.cwd(), 'node_modules/@expo-google-fonts/tinos/700Bold_Italic/Tinos_700Bold_Italic.ttf');
    const dot = (colour: string): string =>
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">' +
      `<rect width="9" height="9" fill="${colour}"/></svg>`;
    const page = lab.write(
      '<!doctype html><style>@font-face { font-family: Own; src: url(own.ttf) } p { font-family: Own } ' +
        'div { height: 9px; background: url(back.svg) } li { list-style-image: url(dot.svg) }</style>' +
        '<p>printed in a font of its own</p><div></div><ul><li>x</ul>',
      {
        'own.ttf': readFileSync(font),
        'back.svg': dot('#123456'),
        'dot.svg': dot('#654321'),
      },
    );
    for (let again = 0; again < 3; again++) {
      const pdf = await lab.print(page);
      expect(execFileSync('pdffonts', [pdf], { encoding: 'utf8' })).to.contain('Tinos-BoldItalic');
      execFileSync('pdftoppm', ['-r', '72', pdf, `${pdf}.p`]);
      const [picture = ''] = readdirSync(join(pdf, '..')).filter((name) => name.startsWith(`${basename(pdf)}.p`));
      const pixels = readFileSync(join(pdf, '..', picture)).toString('latin1');
      expect([pixels.includes('\x12\x34\x56'), pixels.includes('\x65\x43\x21')]).to.deep.equal([true, true]);
    }
  });

  it('prints animations as they end, and those that are paused or without an end as they are', async () => {
    const page = lab.write(
      '<!doctype html><style>@page { margin: 0 } body { margin: 0 } div { width: 20px; height: 20px } ' +
        '@keyframes in { from { background: #fff } to { background: #123456 } } .slow { animation: in 50s both } ' +
        '.back { animation: in 1ms; background: #234567 } .still { animation: in 10s -5s linear paused both } ' +
        '.endless { animation: in 100s infinite } @starting-style { .start { background: #fff } } ' +
        '.start { transition: background 50s; background: #345678 }</style>' +
        ['slow', 'back', 'still', 'endless', 'start'].map((name) => `<div class=${name}></div>`).join('') +
        '<svg width="40" height="20"><rect width="20" height="20" fill="#fff">' +
        '<set attributeName="fill" to="#456789"/></rect><rect x="20" width="20" height="20" fill="#567890"><animate attributeName="fill" to="#678901" ' +
        'dur="1ms" fill="freeze"/></rect></svg>',
    );
    const pdf = await lab.print(page, { margins: { top: 0, right: 0, bottom: 0, left: 0 } });
    execFileSync('pdftoppm', ['-r', '96', '-l', '1', '-singlefile', pdf, `${pdf}.p`]);
    const pixels = readFileSync(`${pdf}.p.ppm`);
    const [header = '', width = ''] = /^P6\s(\d+)\s\d+\s255\s/.exec(pixels.toString('latin1', 0, 40)) ?? [];
    const colour = (x: number, y: number): string =>
      pixels.subarray(header.length + (y * Number(width) + x) * 3).toString('hex', 0, 3);
    const shown = [10, 30, 50, 70, 90].map((y) => colour(10, y));
    expect([shown[0], shown[1], shown[4]]).to.deep.equal(['123456', '234567', '345678']);
    // Half way, as the style says.
    expect(shown[2]).to.match(/^8[89a]9[9a]a[ab]$/);
    expect(shown[3]).to.match(/^f/);
    expect([colour(10, 110), colour(30, 110)]).to.deep.equal(['456789', '678901']);
  });

  it('prints a page whose elements have the names of what the server asks for', async () => {
    const named = ['fonts', 'documentElement', 'URL', 'querySelectorAll', 'location', 'baseURI'];
    const page = lab.write(
      `${named.map((name) => `<form name="${name}" id="${name}"></form><img name="${name}">`).join('')}` +
        '<p>shown</p><a href="gone.html">gone</a> <a href="https://example.org/kept">kept</a>',
    );
    const pdf = await lab.print(page);
    expect(text(pdf)).to.contain('shown');
    expect(info(pdf, '-url')).to.contain('example.org/kept').and.not.contain('document.invalid');
  });

  it('sends no request to the network, and prints the page without those files', async () => {
    const shown = await Promise.all(
      ['127.0.0.1', 'localhost', '2130706433'].map(async (host) =>
        text(await lab.print(lab.write(reaching((name) => `http://${host}:${port}/${name}`)))),
      ),
    );
    for (const words of shown) expect(words).to.contain('text');
    await pause(300);
    expect(calls).to.equal(0);
  });

  it('runs no script', async () => {
    const page = lab.write(
      '<p>before</p><img src=x onerror="document.body.textContent = 1"><svg onload="document.body.textContent ' +
        '= 2"></svg><script>document.body.textContent = "ran"; for (;;);</script><noscript>without ' +
        'scripts</noscript>',
    );
    expect(text(await lab.print(page)))
      .to.contain('before')
      .and.contain('without scripts')
      .and.not.contain('ran');
  });

  it('stops when it is cancelled although the page never finishes, and prints the next one', async () => {
    const bombs = [
      `<table>${`<tr>${'<td>c'.repeat(20)}</tr>`.repeat(150_000)}</table>`,
      '<style>' +
        `${Array.from({ length: 300 }, (_each, i) => `body:has(.a${i} ~ * ~ * .b) * :has(> * ~ .c${i} *) { color: red }`).join('\n')}` +
        `</style>${'<div class=a1><p class=b><i>x</i></p></div>'.repeat(200_000)}`,
    ];
    await Promise.all(
      bombs.map(async (bomb) => {
        const abort = new AbortController();
        const printing = codeOf(lab.print(lab.write(bomb), {}, abort.signal));
        await pause(700);
        abort.abort();
        expect(await printing).to.equal('CANCELLED');
      }),
    );
    expect(text(await lab.print(lab.write('<p>next</p>')))).to.contain('next');
  });

  it('prints ten thousand nested elements and properties that double their size', async () => {
    expect(text(await lab.print(lab.write(`${'<div>'.repeat(10_000)}deep${'</div>'.repeat(10_000)}`)))).to.contain(
      'deep',
    );
    expect(
      text(
        await lab.print(
          lab.write(
            '<style>:root { --a0: xxxxxxxxxx; ' +
              `${Array.from({ length: 40 }, (_each, i) => `--a${i + 1}: var(--a${i}) var(--a${i});`).join('')} } ` +
              'p { --z: var(--a40) }</style><p>doubled',
          ),
        ),
      ),
    ).to.contain('doubled');
  });
});
