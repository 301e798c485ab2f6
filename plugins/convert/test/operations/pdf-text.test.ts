import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { callOperation, type OperationAnswer, serverForTests } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';

const fixture = async (name: string) => ({
  name,
  bytes: new Uint8Array(await readFile(new URL(`../../fixtures/${name}`, import.meta.url))),
});
const has = (program: string): boolean => {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
const text = ({ bytes }: OperationAnswer): string => Buffer.from(bytes).toString('utf8');

describe('Text and Markdown over HTTP', function () {
  this.timeout(120_000);
  const server = serverForTests({ plugins: ['@quire/plugin-convert'] });

  const call = (
    path: string,
    file: { name: string; bytes: Uint8Array },
    params: Record<string, unknown> = {},
  ): Promise<OperationAnswer> => callOperation(server.url, { path: `convert/${path}`, files: [file], params });
  const facts = (answer: OperationAnswer): unknown[] => [
    answer.status,
    answer.fileName,
    answer.headers.get('content-type')?.split(';')[0],
  ];

  for (const [path, params] of [
    ['pdf/text', { outputFormat: 'txt' }],
    ['pdf/markdown', {}],
    ['pdf/word', { outputFormat: 'docx' }],
  ] as const)
    it(`warns that a scan has no text: ${path}`, async () => {
      const scan = await PDFDocument.create();
      const { bytes: photo } = await fixture('photo.jpg');
      scan.addPage([300, 400]).drawImage(await scan.embedJpg(photo), { x: 0, y: 0, width: 300, height: 400 });
      const warnings = async (bytes: Uint8Array): Promise<string | null> => {
        const answer = await call(path, { name: 'scan.pdf', bytes }, params);
        expect(answer.status).to.equal(200);
        return answer.headers.get('x-warnings');
      };
      expect(decodeURIComponent((await warnings(await scan.save())) ?? '')).to.include(
        'The document has no text. If its pages are scans, recognise the text on them first with misc/ocr-pdf.',
      );
      expect(await warnings((await fixture('article.pdf')).bytes)).to.equal(null);
    });

  it('gives one UTF-8 file of Markdown', async () => {
    const answer = await call('pdf/markdown', { ...(await fixture('article.pdf')), name: 'my article.pdf' });
    expect(facts(answer)).to.deep.equal([200, 'my article.md', 'text/markdown']);
    expect(text(answer))
      .to.match(/^# The Old Mill\n\n/)
      .and.to.include('\u05d4\u05d8\u05d7\u05e0\u05d4');
  });

  it('gives a file for pages without anything', async () => {
    const answer = await call('pdf/markdown', { name: 'empty.pdf', bytes: await (await PDFDocument.create()).save() });
    expect([answer.status, text(answer)]).to.deep.equal([200, '\n']);
  });

  it(
    'gives the words that another reader gives, line by line, an empty line after each ' +
      `page${has('pdftotext') ? '' : ' (skipped: no pdftotext)'}`,
    async function words() {
      if (!has('pdftotext')) return this.skip();
      const answer = await call('pdf/text', await fixture('article.pdf'), { outputFormat: 'txt' });
      expect(facts(answer)).to.deep.equal([200, 'article.txt', 'text/plain']);
      const other = execFileSync('pdftotext', [new URL('../../fixtures/article.pdf', import.meta.url).pathname, '-'], {
        encoding: 'utf8',
      });
      // Blanks around raised figures and in text from the right differ; letters and lines of words do not.
      const letters = (value: string): string =>
        [...value.replace(/[\s\u200e\u200f\u202a-\u202e]/g, '')].sort().join('');
      expect(letters(text(answer))).to.equal(letters(other));
      for (const line of [
        'This article has bold words, leaning words and a note1 in its first paragraph, which is long enough to run',
        'Width 80 | 90 cm',
        'a) slowly',
      ])
        expect(text(answer).split('\n')).to.include(line);
      expect(text(answer))
        .to.match(/\bAnnals of the Mill\n/)
        .and.to.include('\u05d4\u05d8\u05d7\u05e0\u05d4 \u05e0\u05d1\u05e0\u05ea\u05d4 \u05d1\u05e9\u05e0\u05ea 1911');
      expect(text(answer))
        .to.match(/\n\n$/)
        .and.not.to.match(/[\r\f\u0000\ufffe]/);
    },
  );

  it(`gives RTF by LibreOffice${has('soffice') ? '' : ' (skipped: no LibreOffice)'}`, async function rtf() {
    if (!has('soffice')) return this.skip();
    const answer = await call('pdf/text', await fixture('article.pdf'), { outputFormat: 'rtf' });
    expect([...facts(answer), text(answer).slice(0, 5)]).to.deep.equal([
      200,
      'article.rtf',
      'application/octet-stream',
      '{\\rtf',
    ]);
    expect(text(answer)).to.include('mule that knows the road').and.to.include('Station 34');
  });

  it('refuses unknown formats naming the field, and files that are locked, damaged or no PDF', async () => {
    const pointer = (answer: OperationAnswer): string | undefined =>
      answer.json<{ errors?: { pointer: string }[] }>().errors?.[0]?.pointer;
    for (const params of [{}, { outputFormat: 'TXT' }, { outputFormat: 'docx' }, { outputFormat: '' }]) {
      const answer = await call('pdf/text', await fixture('three-pages.pdf'), params);
      expect([answer.status, pointer(answer)], JSON.stringify(params)).to.deep.equal([400, '/outputFormat']);
    }
    for (const [path, params] of [
      ['pdf/text', { outputFormat: 'txt' }],
      ['pdf/markdown', {}],
    ] as const) {
      expect(
        [
          (await call(path, await fixture('header-only.pdf'), params)).status,
          (await call(path, await fixture('photo.jpg'), params)).status,
        ],
        path,
      ).to.deep.equal([400, 415]);
    }
  });
});
