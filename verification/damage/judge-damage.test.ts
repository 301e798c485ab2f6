import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { makePdf } from '../../test/kit/make-pdf.js';
import { pdfOfObjects } from '../../test/kit/pdf-of-objects.js';
import { hasProgram } from '../../document/test/support.js';
import { damageCalls } from './damage-calls.js';
import { cutFiles, flippedFiles } from './damaged-files.js';
import { DamageJudge } from './judge-damage.js';

const page = (words: string, before = ''): Buffer =>
  pdfOfObjects([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>',
    `<</Length ${before.length + words.length + 29}>>\nstream\n${before}BT /F 12 Tf 9 99 Td (${words}) Tj ET\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]);

describe('Judging answers to damaged files', () => {
  const rotate = damageCalls[0]!;
  let server: Server;
  let answers: readonly { readonly status: number; readonly body: Uint8Array; readonly warnings?: string }[];

  before(async function () {
    if (!hasProgram('qpdf') || !hasProgram('pdftotext')) this.skip();
    let calls = 0;
    server = createServer((incoming, response) => {
      incoming.resume();
      incoming.on('end', () => {
        const answer = answers[calls++ % 2]!;
        response.writeHead(answer.status, answer.warnings === undefined ? {} : { 'x-warnings': answer.warnings });
        response.end(answer.body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => server?.close());

  /** The verdict on this answer, when the sound file has one page with two words. */
  async function verdict(status: number, body: Uint8Array, warnings?: string): Promise<string | undefined> {
    answers = [
      { status: 200, body: page('two words') },
      { status, body, ...(warnings === undefined ? {} : { warnings }) },
    ];
    const judge = new DamageJudge(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const original = { name: 'sound.pdf', bytes: page('two words') };
    const row = await judge.judge({ name: 'cut.pdf', original, bytes: original.bytes.subarray(0, 300) }, rotate);
    return row?.verdict;
  }

  it('finds missing words, missing pages, errors of qpdf and failures', async () => {
    expect(await verdict(200, page('two words'))).to.equal('complete');
    expect(await verdict(200, page('two'))).to.equal('silent');
    expect(await verdict(200, await makePdf({ pages: 2 }))).to.equal('silent');
    expect(await verdict(200, page('two'), 'A page is lost.')).to.equal('announced');
    const damaged = Buffer.from(
      page('two words').toString('latin1').replace('<</Length', '<</Filter/FlateDecode/Length'),
      'latin1',
    );
    expect(await verdict(200, damaged, 'A page is lost.')).to.equal('unsound');
    expect(await verdict(400, Buffer.from('{"code":"PDF_DAMAGED"}'))).to.equal('refused');
    expect(await verdict(500, Buffer.from('{}'))).to.equal('failed');
  });

  it('asks a second reader before it says that words are missing', async () => {
    // pdftotext leaves out text that follows an unknown operator.
    expect(await verdict(200, page('two words', 'q 0 0 9 9 re f\xa0848 9 9 0 re Q '))).to.equal('complete');
  });

  it('accepts the damaged file itself where the answer says so', async () => {
    const sent = page('two words').subarray(0, 300);
    expect(await verdict(200, sent, 'The PDF is still damaged.')).to.equal('announced');
    expect(await verdict(200, sent)).to.equal('unsound');
  });

  it('damages files in the same way every time, each in ten ways', () => {
    const original = { name: 'a.pdf', bytes: page('two words') };
    for (const damage of [cutFiles, flippedFiles]) {
      const [first, again, other] = [damage(original, 1), damage(original, 1), damage(original, 2)];
      expect(first).to.deep.equal(again).and.not.to.deep.equal(other);
      expect(new Set(first.map(({ bytes }) => bytes.toString('latin1'))).size).to.equal(10);
      expect(first.every(({ bytes }) => !bytes.equals(original.bytes))).to.equal(true);
    }
  });
});
