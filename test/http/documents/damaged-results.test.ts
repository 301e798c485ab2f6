import { inflateSync, deflateSync } from 'node:zlib';
import { expect } from 'chai';
import { createTestServer } from '@quire/core';
import { checkSyntax } from '@quire/document/file/inspection';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { everythingIn } from '../../../document/test/support.js';
import { makePdf } from '../../kit/make-pdf.js';
import { pdfOfObjects } from '../../kit/pdf-of-objects.js';
import { type Answer, expectProblem, field, file, post } from '../support/client.js';
import type { TestServer } from '../support/server.js';

const LINES = Array.from({ length: 400 }, (_none, i) => `BT /F1 9 Tf 9 ${i} Td (Line number ${i}) Tj ET`).join('\n');

const streamOf = (data: Buffer, entries = '/Filter/FlateDecode'): string =>
  `<<${entries}/Length ${data.length}>>\nstream\n${data.toString('latin1')}\nendstream`;

/** One page; `contents` is its content stream, `page` are further entries of the page. */
function onePage(contents: string, page = '', more: readonly string[] = [], catalog = ''): Buffer {
  return pdfOfObjects([
    `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 400]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>${page}>>`,
    contents,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...more,
  ]);
}

/** A compressed content in which a byte in the middle has another value. */
function brokenContent(): Buffer {
  const data = deflateSync(Buffer.from(LINES));
  data[data.length >> 1] = (data[data.length >> 1] ?? 0) ^ 0xff;
  return data;
}

/** Everything that the content streams of a PDF say. */
function contentsOf(pdf: Buffer): string {
  const found: string[] = [];
  for (let at = pdf.indexOf('stream\n'); at >= 0; at = pdf.indexOf('stream\n', at + 7)) {
    if (pdf.toString('latin1', at - 3, at) === 'end') continue;
    const data = pdf.subarray(at + 7, pdf.indexOf('endstream', at));
    const dictionary = pdf.toString('latin1', pdf.lastIndexOf(' obj', at), at);
    // A short cross-reference stream is not compressed.
    if (dictionary.includes('/XRef') && !dictionary.includes('/Filter')) continue;
    try {
      found.push(inflateSync(data).toString('latin1'));
    } catch {
      found.push('(does not inflate)');
    }
  }
  return found.join('\n');
}

describe('Results of damaged PDFs', () => {
  let server: TestServer;
  let folder: string;
  const call = (
    path: string,
    bytes: Uint8Array,
    fields: Record<string, string> = {},
    strict = false,
  ): Promise<Answer> =>
    post(
      `${server.url}/api/v1/${path}`,
      [file(bytes), ...Object.entries(fields).map(([name, value]) => field(name, value))],
      strict ? { prefer: 'handling=strict' } : {},
    );
  const rotate = (bytes: Uint8Array): Promise<Answer> => call('general/rotate-pdf', bytes, { angle: '90' });
  const errorIn = async (bytes: Uint8Array): Promise<string | undefined> => {
    const path = join(folder, 'result.pdf');
    await writeFile(path, bytes);
    return checkSyntax([path]);
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-results-'));
    server = await createTestServer({
      plugins: [
        '@quire/plugin-general',
        '@quire/plugin-filter',
        '@quire/plugin-misc',
        '@quire/plugin-security',
        '@quire/plugin-signing',
      ],
    });
    await server.start();
  });
  after(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });

  it('contain what precedes the damage of a content stream, in a stream that strict readers decode', async () => {
    const input = onePage(streamOf(brokenContent()));
    expect(await errorIn(input)).to.contain('content');
    for (const [path, fields] of [
      ['general/rotate-pdf', { angle: '90' }],
      ['general/split-pages', { pageNumbers: 'all' }],
      ['misc/compress-pdf', { optimizeLevel: '1' }],
      ['misc/update-metadata', { title: 'A title' }],
    ] as const) {
      const answer = await call(path, input, fields);
      expect(answer.status, `${path} ${answer.body.toString()}`).to.equal(200);
      expect(answer.headers['x-warnings'], path).to.contain('The content of page 1 of 1 is missing or damaged.');
      if (path === 'general/split-pages') continue;
      expect(await errorIn(answer.body), path).to.equal(undefined);
      if (path === 'misc/compress-pdf') continue;
      expect(contentsOf(answer.body), path)
        .to.contain('(Line number 0) Tj')
        .and.not.to.contain('does not inflate')
        .and.not.to.contain('Line number 399');
    }
  });

  it('decode completely where only the header or the name of the filter was damaged', async () => {
    const data = deflateSync(Buffer.from(LINES));
    const header = Buffer.from(data);
    header[0] = 0x11;
    for (const [contents, warning] of [
      [streamOf(header), '1 stream begins with a damaged header.'],
      [streamOf(data, '/Filter/FlateDecod#03'), 'The content of page 1 of 1 is missing or damaged.'],
    ] as const) {
      const answer = await rotate(onePage(contents));
      expect(answer.status, answer.body.toString()).to.equal(200);
      expect(answer.headers['x-warnings']).to.equal(warning);
      expect(contentsOf(answer.body)).to.contain('Line number 0').and.to.contain('Line number 399');
    }
  });

  it('decode where characters of ASCII85, hexadecimal or LZW data are impossible', async () => {
    for (const [filter, data] of [
      ['ASCII85Decode', '87cURD]i,"Ebo80vvv~>'],
      ['ASCIIHexDecode', '4254200A@45540A>'],
      ['LZWDecode', '\u0080\u000b\u0060\u0050\u00ff\u00ff\u00ff'],
    ] as const) {
      const answer = await rotate(onePage(streamOf(Buffer.from(data, 'latin1'), `/Filter/${filter}`)));
      expect(answer.headers['x-warnings'], filter).to.contain('The content of page 1 of 1 is missing or damaged.');
      expect(contentsOf(answer.body), filter).not.to.contain('does not inflate');
    }
  });

  it('are sound where a damaged stream has the abbreviated name of its filter', async () => {
    for (const [filter, data] of [
      ['A85', Buffer.from('87cURD]i,"\u0096Ebo80~>', 'latin1')],
      ['AHx', Buffer.from('4254200A@45540A>')],
      ['LZW', Buffer.from('\u0080\u000b\u0060\u0050\u00ff\u00ff\u00ff', 'latin1')],
      ['Fl', brokenContent()],
    ] as const) {
      const answer = await rotate(onePage(streamOf(data, `/Filter[/${filter}]`)));
      expect(answer.status, `${filter} ${answer.body.toString()}`).to.equal(200);
      expect(answer.headers['x-warnings'], filter).to.contain('The content of page 1 of 1 is missing or damaged.');
      expect(await errorIn(answer.body), filter).to.equal(undefined);
    }
  });

  it('have no empty places in the page tree', async () => {
    const input = pdfOfObjects([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R null]/Count 2>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>',
    ]);
    const answer = await rotate(input);
    expect(answer.status).to.equal(200);
    expect(answer.headers['x-warnings']).to.contain('Page 2 of 2 cannot be read.');
    expect(await everythingIn(answer.body)).to.contain('/Kids[3 0 R]');
  });

  it('contain an object whose row in the cross-reference cannot be read', async () => {
    const input = onePage(streamOf(deflateSync(Buffer.from(LINES))));
    const rows = input.indexOf('xref\n');
    input.write('x', rows + 'xref\n0 6\n'.length + 4 * 20 + 3, 'latin1');
    const answer = await rotate(input);
    expect(answer.headers['x-warnings']).to.equal('1 object is not where the cross-reference says.');
    expect(contentsOf(answer.body)).to.contain('Line number 399');
  });

  it('say that an update at the end of the file was cut off', async () => {
    const first = onePage(streamOf(deflateSync(Buffer.from(LINES))));
    const update = Buffer.from('4 0 obj\n<</Length 44>>\nstream\nBT /F1 9 Tf 9 9 Td (New wor');
    expect((await rotate(first)).headers).to.not.have.property('x-warnings');
    const answer = await rotate(Buffer.concat([first, update]));
    expect(answer.status).to.equal(200);
    expect(answer.headers['x-warnings']).to.contain('An update at the end of the file is cut off and was left out.');
    expect(contentsOf(answer.body)).to.contain('Line number 399');
    expect(await everythingIn(answer.body)).not.to.contain('New wor');
  });

  it('say that an update was left out whose startxref is damaged', async () => {
    const first = onePage(streamOf(deflateSync(Buffer.from(LINES))));
    const object = '4 0 obj\n<</Length 9>>\nstream\nBT 1 2 Td\nendstream\nendobj\n';
    const rows = `xref\n4 1\n${String(first.length).padStart(10, '0')} 00000 n \n`;
    const trailer = `trailer\n<</Size 6/Root 1 0 R/Prev ${first.indexOf('xref\n')}>>\n`;
    const end = `startxref\n${first.length + object.length}\n%%EOF\n`;
    const updated = (last: string): Buffer => Buffer.concat([first, Buffer.from(object + rows + trailer + last)]);
    expect((await rotate(updated(end))).headers).to.not.have.property('x-warnings');
    const answer = await rotate(updated(end.replace('startxref', 'startx.ef')));
    expect(answer.status).to.equal(200);
    expect(answer.headers['x-warnings']).to.contain('An update at the end of the file is cut off and was left out.');
  });

  it('are sound where the cross-reference has another generation, and say so', async () => {
    const input = onePage(streamOf(Buffer.from(LINES), ''));
    input.write('9', input.indexOf('xref\n') + 'xref\n0 6\n'.length + 20 + 11, 'latin1');
    expect(await errorIn(input)).to.contain('Root');
    for (const [path, fields] of [
      ['general/rotate-pdf', { angle: '90' }],
      ['misc/compress-pdf', { optimizeLevel: '1' }],
    ] as const) {
      const answer = await call(path, input, fields);
      expect(answer.headers['x-warnings'], path).to.contain('1 object is not where the cross-reference says.');
      expect(await errorIn(answer.body), path).to.equal(undefined);
    }
  });

  it('announce a stream without the end of its object, and a trailer that is only partly readable', async () => {
    const input = onePage(streamOf(deflateSync(Buffer.from(LINES))));
    const text = input.toString('latin1');
    for (const [changed, warning] of [
      [text.replace('endstream\nendobj', 'endstream\nendxbj'), '1 object has no regular end.'],
      [text.replace('/Root 1 0 R', '/Root 1 0 R ) (x)'), '1 object is broken and only partly readable.'],
    ] as const) {
      const answer = await rotate(Buffer.from(changed, 'latin1'));
      expect(answer.status, answer.body.toString()).to.equal(200);
      expect(answer.headers['x-warnings']).to.equal(warning);
    }
  });

  it('say that the page tree counts more pages than it has', async () => {
    const count = (text: string): Buffer =>
      pdfOfObjects([
        '<</Type/Catalog/Pages 2 0 R>>',
        `<</Type/Pages/Kids[3 0 R]${text}>>`,
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>',
      ]);
    expect((await rotate(count('/Count 1'))).headers).to.not.have.property('x-warnings');
    for (const [text, number] of [
      ['/Count 2', '2'],
      ['/Covnt 1', 'no'],
    ] as const) {
      const answer = await rotate(count(text));
      expect(answer.headers['x-warnings']).to.equal(`The page tree counts ${number} pages and has 1.`);
      expect(await everythingIn(answer.body)).to.contain('/Count 1');
    }
  });

  it('have no number in a damaged content that no reader can hold', async () => {
    const data = deflateSync(Buffer.from(`1 0 0 1 ${'4'.repeat(30)} 5 cm`));
    data[data.length - 1] = (data.at(-1) ?? 0) ^ 0xff;
    const answer = await rotate(onePage(streamOf(data)));
    expect(answer.headers['x-warnings']).to.contain('The content of page 1 of 1 is missing or damaged.');
    expect(contentsOf(answer.body)).to.contain(`1 0 0 1 ${'4'.repeat(15)} 5 cm`);
  });

  it('announce objects with other characters than digits in a hexadecimal string, and with another end', async () => {
    for (const [object, warning] of [
      ['<</Title<41x2>>>', '1 object is broken and only partly readable.'],
      ['<</Title(A)>> junk', '1 object has no regular end.'],
    ] as const) {
      const answer = await rotate(onePage(streamOf(deflateSync(Buffer.from(LINES))), '/Extra 6 0 R', [object]));
      expect(answer.headers['x-warnings'], object).to.equal(warning);
    }
  });

  it('of compression are the input where the repaired file would be larger, and say so', async () => {
    const whole = pdfOfObjects([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/MediaBox[0 0 9 9]>>',
      '<</Type/Page/MediaBox[0 0 9 9]>>',
    ]);
    const input = whole.subarray(0, whole.indexOf('xref'));
    const answer = await call('misc/compress-pdf', input, { optimizeLevel: '1' });
    expect(answer.status, answer.body.toString()).to.equal(200);
    expect(answer.body.equals(input)).to.equal(true);
    expect(answer.headers['x-warnings'])
      .to.contain('The cross-reference is missing or unreadable')
      .and.to.contain('The PDF was returned unchanged and is still damaged');
    expect(answer.headers['content-disposition']).to.contain('_Optimized.pdf');
    expect(JSON.parse(String(answer.headers['x-tool-report']))).to.include({
      unchanged: true,
      outputBytes: input.length,
    });
  });

  it('announce damage in other objects of a file whose pages are sound', async () => {
    const damaged = brokenContent();
    const form = streamOf(damaged, '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Filter/FlateDecode');
    const input = onePage(streamOf(deflateSync(Buffer.from('/X Do'))), '/Extra<</X 6 0 R>>', [form]);
    const answer = await rotate(input);
    expect(answer.status).to.equal(200);
    expect(answer.headers['x-warnings']).to.equal('1 other stream is damaged and only partly readable.');
    expect(contentsOf(answer.body)).not.to.contain('does not inflate');
  });

  it('announce faults that are met only when a large file is rewritten, and are refused under strict', async () => {
    const filler = streamOf(Buffer.alloc(1_200_000), '/Subtype/Image');
    const broken = '<</Type/Annot/Subtype/Link/Rect[0 0 9 9] ) junk /Border[0 0 0]>>';
    const input = onePage(streamOf(deflateSync(Buffer.from(LINES))), '/Annots[6 0 R]/Extra 7 0 R', [broken, filler]);
    const answer = await call('security/sanitize-pdf', input);
    expect(answer.status, answer.body.toString('latin1', 0, 500)).to.equal(200);
    expect(answer.headers['x-warnings']).to.contain('1 object is broken and only partly readable.');
    expect(JSON.parse(String(answer.headers['x-tool-report']))).to.have.nested.property('damage.repaired');
    const problem = expectProblem(await call('security/sanitize-pdf', input, {}, true), 400, 'PDF_DAMAGED');
    expect(problem.detail).to.contain('1 object is broken');
  });

  it('announce damage of files in other fields', async () => {
    const answer = await post(`${server.url}/api/v1/general/overlay-pdfs`, [
      file(await makePdf({ pages: 1 }), 'below.pdf'),
      file(onePage(streamOf(brokenContent())), 'above.pdf', 'overlayFiles'),
      field('overlayMode', 'SequentialOverlay'),
      field('overlayPosition', '0'),
    ]);
    expect(answer.status, answer.body.toString()).to.equal(200);
    expect(answer.headers['x-warnings']).to.contain('above.pdf: The content of page 1 of 1 is missing or damaged.');
    expect(await errorIn(answer.body)).to.equal(undefined);
  });

  it('of operations that do not open files announce damage as well, and repair what it could not restore', async () => {
    const input = onePage(streamOf(brokenContent()));
    const fields = { fileSize: '0', comparator: 'Greater' };
    const kept = await call('filter/filter-file-size', input, fields);
    expect(kept.status).to.equal(200);
    expect(kept.body.equals(input)).to.equal(true);
    expect(kept.headers['x-warnings']).to.equal('The content of page 1 of 1 is missing or damaged.');
    expectProblem(await call('filter/filter-file-size', input, fields, true), 400, 'PDF_DAMAGED');
    const nothing = await call('filter/filter-file-size', Buffer.from('%PDF-1.7\nnothing'), fields);
    expect(nothing.status).to.equal(200);
    expect(nothing.headers['x-warnings']).to.contain('is not a readable PDF');
    const repaired = await call('misc/repair', input, {}, true);
    expect(repaired.status, repaired.body.toString()).to.equal(200);
    expect(repaired.headers['x-warnings']).to.equal('The content of page 1 of 1 is missing or damaged.');
    const untabled = onePage(streamOf(deflateSync(Buffer.from(LINES))))
      .toString('latin1')
      .replace(/xref[^]*trailer/, 'trailer');
    const restored = await call('misc/repair', Buffer.from(untabled, 'latin1'), {}, true);
    expect([restored.status, restored.headers['x-warnings']]).to.deep.equal([200, undefined]);
  });

  it('keep the bytes of a signed file with sound pages, and are refused where its content is damaged', async () => {
    const signature = '<</Type/Sig/Filter/Adobe.PPKLite/ByteRange[0 10 20 30]/Contents<00>>>';
    const signed = (contents: string): Buffer =>
      onePage(
        contents,
        '',
        ['<</FT/Sig/T(s)/V 7 0 R>>', signature, streamOf(brokenContent())],
        '/AcroForm<</Fields[6 0 R]/SigFlags 3>>/Extra 8 0 R',
      );
    const sound = signed(streamOf(deflateSync(Buffer.from(LINES))));
    const answer = await rotate(sound);
    expect(answer.status, answer.body.toString()).to.equal(200);
    expect(answer.body.subarray(0, sound.length).equals(sound)).to.equal(true);
    expect(answer.headers['x-warnings']).to.contain('1 object or stream is damaged');
    const strict = await createTestServer({
      plugins: ['@quire/plugin-general'],
      settings: { 'policy.signedInput': 'refuse' },
    });
    await strict.start();
    try {
      const refused = await post(`${strict.url}/api/v1/general/rotate-pdf`, [
        file(signed(streamOf(brokenContent()))),
        field('angle', '90'),
      ]);
      expect(expectProblem(refused, 409, 'PDF_SIGNED').detail).to.contain('damaged and can only be rewritten');
    } finally {
      await strict.stop();
    }
  });
});
