import { expect } from 'chai';
import { withDocument } from '@quire/document/engines/pdfium';
import { renderPage } from '@quire/document/engines/rendering';
import { embedSvg } from '@quire/document/content/svg';
import { PDFDocument, PDFName, PDFRawStream } from 'pdf-lib';
import sharp from 'sharp';

const root = (inside: string, attributes = 'width="100" height="100"'): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inside}</svg>`;

interface Page {
  readonly bytes: Uint8Array;
  readonly size: readonly [number, number];
  readonly at: (x: number, y: number) => number[];
  readonly text: string;
}

/** A page of the drawing's size with the drawing on it; places are pixels from its upper left corner. */
async function shown(svg: string | Uint8Array): Promise<Page> {
  const document = await PDFDocument.create();
  const { form, width, height, scale } = await embedSvg(
    document,
    typeof svg === 'string' ? Buffer.from(svg) : svg,
    'imageFile',
  );
  const page = document.addPage([width, height]);
  const name = page.node.newXObject('X', form);
  page.node.set(
    PDFName.of('Contents'),
    document.context.register(document.context.stream(`${scale} 0 0 ${scale} 0 0 cm ${name.asString()} Do`)),
  );
  const bytes = await document.save();
  return withDocument(bytes, {}, (opened) => {
    const [w, h] = [Math.ceil(width), Math.ceil(height)];
    const pixels = renderPage(opened, 0, { width: w, height: h, annotations: false });
    return {
      bytes,
      size: [width, height],
      at: (x, y) => [...pixels.subarray((y * w + x) * 4, (y * w + x) * 4 + 3)],
      text: opened.pageText(0),
    };
  });
}

const refusal = (svg: string): Promise<{ code?: string; message: string } | undefined> =>
  shown(svg).then(
    () => undefined,
    (error: unknown) => error as { code?: string; message: string },
  );
const RED = [255, 0, 0];
const WHITE = [255, 255, 255];

describe('embedSvg', function () {
  this.timeout(60_000);

  it('draws shapes, styles, transforms and uses as vectors', async () => {
    const { at, bytes } = await shown(
      root(
        '<style>.r{fill:#f00}</style><defs><rect id="a" class="r" width="20" height="20"/></defs><use ' +
          'xlink:href="#a" x="10" y="10"/><g transform="translate(60 60) rotate(45)"><use href="#a"/></g>',
      ),
    );
    expect([at(20, 20), at(60, 75), at(75, 62), at(50, 50)]).to.deep.equal([RED, RED, WHITE, WHITE]);
    const { context } = await PDFDocument.load(bytes);
    const images = context
      .enumerateIndirectObjects()
      .filter(
        ([, object]) =>
          object instanceof PDFRawStream && object.dict.get(PDFName.of('Subtype')) === PDFName.of('Image'),
      );
    expect(images).to.have.length(0);
  });

  it('draws gradients, patterns, clips, masks and opacity', async () => {
    const { at } = await shown(
      root(`<defs><linearGradient id="g"><stop offset="0" stop-color="#f00"/><stop offset="1"
  stop-color="#00f"/></linearGradient>
      <clipPath id="c"><circle cx="25" cy="75" r="20"/></clipPath><mask id="m"><rect x="50" y="50" width="25"
  height="50" fill="#fff"/></mask>
      <pattern id="p" width="10" height="10" patternUnits="userSpaceOnUse"><rect width="10" height="10"
  fill="#0f0"/></pattern></defs>
      <rect width="100" height="40" fill="url(#g)"/><rect y="50" width="50" height="50" fill="url(#p)"
  clip-path="url(#c)"/><rect x="50" y="50" width="50" height="50" fill="#f00" mask="url(#m)" opacity=".5"/>`),
    );
    expect(at(2, 20)[0]).to.be.greaterThan(230);
    expect(at(97, 20)[2]).to.be.greaterThan(230);
    expect([at(25, 75), at(2, 52), at(90, 75)]).to.deep.equal([[0, 255, 0], WHITE, WHITE]);
    expect(at(60, 75)[1]).to.be.within(125, 130);
  });

  it('sets text with the built-in fonts in every script, and it can be found', async () => {
    const { text } = await shown(
      root(
        '<text x="10" y="20" font-family="Nonsense">Plain <tspan font-weight="bold">bold</tspan></text><text ' +
          'x="10" y="40">漢字 한글 ไทยที่</text><text x="10" y="60">سري</text><text x="10" y="80">&lt;a&gt; &amp; ' +
          '&#x416;</text>',
        'width="200" height="100"',
      ),
    );
    for (const word of ['Plain bold', '漢字 한글 ไทยที่', 'سري', '<a> & Ж']) expect(text).to.contain(word);
  });

  it('shows a question mark for a character that no font has', async () => {
    expect((await shown(root('<text x="5" y="20">Hi 𒀀</text>'))).text).to.contain('Hi ?');
  });

  it('draws pictures that are in the file, other kinds than PNG and JPEG too', async () => {
    const webp = (
      await sharp({ create: { width: 4, height: 4, channels: 3, background: '#f00' } })
        .webp({ lossless: true })
        .toBuffer()
    ).toString('base64');
    const { at } = await shown(
      root(`<image x="10" y="10" width="50" height="50" xlink:href="data:image/webp;base64,${webp}"/>`),
    );
    expect([at(30, 30), at(80, 80)]).to.deep.equal([RED, WHITE]);
  });

  it('has the size of the document: pixels as points, units of length, else the view box', async () => {
    const sizes: Readonly<Record<string, readonly [number, number]>> = {
      'width="120" height="60px"': [120, 60],
      'width="72pt" height="1in"': [72, 72],
      'width="25.4mm" height="2.54cm"': [72, 72],
      'viewBox="-10 -10 40 30"': [40, 30],
      'width="100%" height="100%" viewBox="0 0 40 30"': [40, 30],
      'width="80" viewBox="0 0 40 30"': [80, 60],
      'height="60" viewBox="0 0 40 30"': [80, 60],
      '': [300, 150],
    };
    for (const [attributes, [width, height]] of Object.entries(sizes)) {
      const { size } = await shown(root('<rect width="5" height="5"/>', attributes));
      expect(size[0], attributes).to.be.closeTo(width, 0.01);
      expect(size[1], attributes).to.be.closeTo(height, 0.01);
    }
  });

  it('fits the view box into the size', async () => {
    const { at } = await shown(
      root(
        '<rect x="-10" y="-10" width="100%" height="100%" fill="#f00"/>',
        'width="200" height="100" viewBox="-10 -10 20 20"',
      ),
    );
    expect([at(20, 50), at(100, 50), at(180, 50)]).to.deep.equal([WHITE, RED, WHITE]);
  });

  it('reads declared encodings, prefixes, and short entities of drawing programs', async () => {
    const latin = Buffer.from(
      `<?xml version="1.0"
  encoding="iso-8859-1"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://example.org/svg11.dtd" [<!ENTITY ns "http://www.w3.org/2000/svg">]>
      <s:svg xmlns:s="&ns;" width="100" height="50"><s:text x="5" y="20">Gr\xfc\xdfe</s:text></s:svg>`,
      'latin1',
    );
    expect((await shown(latin)).text).to.contain('Grüße');
    expect((await shown(Buffer.from(`\ufeff${root('<text x="5" y="20">Ж</text>')}`, 'utf16le'))).text).to.contain('Ж');
  });

  it('leaves out scripts, events, links, animations and what is not SVG', async () => {
    const { bytes, text } = await shown(
      root(
        '<script>alert(1)</script><a xlink:href="http://example.org/x"><text x="5" y="20" onclick="alert(2)">' +
          'Kept</text></a><foreignObject><p xmlns="http://www.w3.org/1999/xhtml">alert(3)</p></foreignObject>' +
          '<switch><g><text x="5" y="50">Switched</text></g></switch>',
        'width="100" height="100" onload="alert(4)"',
      ),
    );
    expect(text).to.contain('Kept').and.to.contain('Switched').and.not.to.contain('alert');
    expect(Buffer.from(bytes).toString('latin1')).to.not.contain('example.org');
  });

  it('refuses what refers to other files, and says what', async () => {
    for (const inside of [
      '<image width="9" height="9" xlink:href="http://example.org/a.png"/>',
      '<image width="9" height="9" href="/etc/passwd"/>',
      '<image width="9" height="9" href="file:///etc/passwd"/>',
      '<use href="other.svg#a"/>',
      '<rect width="9" height="9" fill="url(http://example.org/#a)"/>',
      '<rect width="9" height="9" style="fill:url( \'a.svg#b\')"/>',
      '<style>@import url("http://example.org/a.css");</style>',
      '<style>rect{fill:url(a.svg#b)}</style>',
    ]) {
      const error = await refusal(root(inside));
      expect(error?.code, inside).to.equal('IMAGE_UNREADABLE');
      expect(error?.message, inside).to.contain('outside of the file');
    }
  });

  it('refuses entities that grow, and those of other files', async () => {
    for (const subset of [
      '<!ENTITY a "lol"><!ENTITY b "&a;&a;">',
      '<!ENTITY a SYSTEM "file:///etc/passwd">',
      '<!ENTITY % a "x">',
    ]) {
      expect((await refusal(`<!DOCTYPE svg [${subset}]>${root('<text>&b;</text>')}`))?.code, subset).to.equal(
        'IMAGE_UNREADABLE',
      );
    }
  });

  it('refuses drawings that use themselves millions of times, or lie too deep', async () => {
    const layers = Array.from(
      { length: 12 },
      (_, i) => `<g id="l${i + 1}">${`<use href="#l${i}"/>`.repeat(10)}</g>`,
    ).join('');
    expect((await refusal(root(`<rect id="l0" width="1" height="1"/>${layers}`)))?.code).to.equal('INPUT_TOO_COMPLEX');
    expect((await refusal(root(`${'<g>'.repeat(5000)}${'</g>'.repeat(5000)}`)))?.code).to.equal('INPUT_TOO_COMPLEX');
  });

  it('comes to an end with what would make patterns of text search for ever', async () => {
    const long = 200_000;
    const texts = [
      `<!DOCTYPE svg [${'<!ENTITY '.repeat(long)}`,
      '<!DOCTYPE['.repeat(long),
      root(`<style>${'/*'.repeat(long)}</style>`),
      root(`<rect fill="url(${' '.repeat(long)}"/>`),
      root(`<style>${'url('.repeat(long)}</style>`),
    ];
    const codes: (string | undefined)[] = [];
    for (const text of texts) codes.push((await refusal(text))?.code);
    expect(codes).to.deep.equal(['IMAGE_UNREADABLE', 'IMAGE_UNREADABLE', undefined, undefined, 'IMAGE_UNREADABLE']);
  }).timeout(50_000);

  it('draws what uses itself without an end once', async () => {
    expect(
      (await shown(root('<g id="a"><rect width="50" height="50" fill="#f00"/><use href="#a"/></g>'))).at(20, 20),
    ).to.deep.equal(RED);
  });

  it('refuses a file that is not an SVG, is cut off, or has no size', async () => {
    for (const text of [
      '',
      'MZ',
      '<html/>',
      '<svg xmlns="http://www.w3.org/2000/svg"><g></svg>',
      root('<rect').slice(0, 90),
      root('', 'width="0" height="10"'),
      root('', 'width="1e9" height="10"'),
      root('<image width="9" height="9" href="data:image/png;base64,AAAA"/>'),
    ]) {
      expect((await refusal(text))?.code, text).to.equal('IMAGE_UNREADABLE');
    }
  });
});
