import { expect } from 'chai';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument, PDFHexString, PDFName, StandardFonts } from 'pdf-lib';
import { srgbProfile, rgbOutputProfile } from '@quire/document/images/icc';
import { withPdf } from '@quire/document/file/open';
import {
  claimsGoal,
  convertToPdfA,
  type PdfACheck,
  type PdfAEngines,
  type PdfAGoal,
  type PdfAResult,
} from '@quire/document/standards/pdfa';
import { readClaims } from '@quire/document/structure/metadata';

const TWO_B: PdfAGoal = { part: 2, level: 'B' };
const yes: PdfACheck = { compliant: true, broken: [] };
const no = (...broken: string[]): PdfACheck => ({ compliant: false, broken });

describe('conversion to PDF/A, with stubs for the programs', () => {
  let folder: string;
  let source: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quire-pdfa-'));
    source = join(folder, 'in.pdf');
    const pdf = await PDFDocument.create({ updateMetadata: false });
    pdf.setTitle('A <title> & more');
    pdf.addPage([200, 200]).drawText('Text', { x: 20, y: 20, font: await pdf.embedFont(StandardFonts.Helvetica) });
    pdf.getForm().createTextField('field').addToPage(pdf.getPage(0), { x: 10, y: 100, width: 80, height: 20 });
    writeFileSync(source, await pdf.save());
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const asked: string[] = [];
  let runs = 0;
  /** A program that copies its input, and a validator with these answers by file. */
  const engines = (
    answers: Readonly<Record<string, PdfACheck>>,
    draw: PdfAEngines['draw'] = async (_part, input, output) => copyFileSync(input, output),
  ): PdfAEngines => {
    asked.length = 0;
    return {
      draw: async (part, input, output) => {
        asked.push('draw');
        await draw(part, input, output);
      },
      check: async (path) => {
        const name = path.slice(path.lastIndexOf('/') + 1, -4);
        asked.push(name);
        return answers[name];
      },
    };
  };
  const convert = (with_: PdfAEngines, goal = TWO_B, strict = false): Promise<PdfAResult> =>
    convertToPdfA(source, goal, with_, { folder: join(folder, `work-${runs++}`), now: new Date(0), strict });
  const claimsOf = (path: string): Promise<string | undefined> =>
    withPdf({ path }, {}, ({ document: { context } }) => readClaims(context).get('PDF/A'));
  const failing = (promise: Promise<unknown>): Promise<{ code?: string; data?: { detail?: string } }> =>
    promise.then(
      () => ({}),
      (error: unknown) => error as { code?: string },
    );

  it('keeps a document only when its claim is true', async () => {
    const { path } = await convert(engines({ repaired: yes }));
    copyFileSync(path, source);
    expect(await convert(engines({ in: yes }))).to.include({ way: 'kept', path: source, claims: '2b' });
    expect([(await convert(engines({ in: no('one'), repaired: yes }))).way, asked]).to.deep.equal([
      'repaired',
      ['in', 'repaired'],
    ]);
    expect((await convert(engines({ repaired: yes }), { part: 3, level: 'B' })).way).to.equal('repaired');
  });

  it('stops at the first method that satisfies the validator', async () => {
    expect(await convert(engines({ repaired: yes }))).to.include({ way: 'repaired', claims: '2b', checked: true });
    expect(asked).to.deep.equal(['repaired']);
    const drawn = await convert(engines({ repaired: no('a', 'b'), pages: yes }));
    expect([drawn.way, asked]).to.deep.equal(['pages', ['repaired', 'draw', 'pages']]);
    expect(await claimsOf(drawn.path)).to.equal('2|B|');
    expect((await convert(engines({ repaired: no('a'), pages: no('a'), whole: yes }))).way).to.equal('whole');
  });

  it('removes the claim from the result that breaks the fewest rules, and rejects it when strict', async () => {
    const answers = { repaired: no('one', 'two'), pages: no('one'), whole: no('one', 'three') };
    const result = await convert(engines(answers));
    expect(result).to.deep.include({ way: 'pages', checked: true, claims: undefined, broken: ['one'] });
    expect(await claimsOf(result.path)).to.equal(undefined);
    const error = await failing(convert(engines(answers), TWO_B, true));
    expect([error.code, error.data?.detail]).to.deep.equal(['PDFA_IMPOSSIBLE', 'the result breaks 1 rules: one']);
  });

  it('falls back from level U to level B, and reports it', async () => {
    let level = '';
    const with_: PdfAEngines = {
      draw: async (_part, input, output) => copyFileSync(input, output),
      check: async (path, goal) => {
        level = (await claimsOf(path)) ?? '';
        return level === '2|B|' && goal.level === 'B' ? yes : no('text without Unicode');
      },
    };
    const result = await convert(with_, { part: 2, level: 'U' });
    expect([result.claims, result.broken, await claimsOf(result.path)]).to.deep.equal([
      '2b',
      ['text without Unicode'],
      '2|B|',
    ]);
  });

  it('trusts the program that redraws when there is no validator', async () => {
    const claiming = async (_part: number, _input: string, output: string): Promise<void> => {
      const pdf = await PDFDocument.create({ updateMetadata: false });
      pdf.addPage([200, 200]);
      pdf.catalog.set(
        PDFName.of('Metadata'),
        pdf.context.register(
          pdf.context.stream(
            '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
              '<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" pdfaid:part="2" ' +
              'pdfaid:conformance="B"/></rdf:RDF></x:xmpmeta>',
            { Type: 'Metadata', Subtype: 'XML' },
          ),
        ),
      );
      writeFileSync(output, await pdf.save());
    };
    const believed = await convert(engines({}, claiming));
    expect([believed.way, believed.checked, believed.claims, await claimsOf(believed.path)]).to.deep.equal([
      'whole',
      false,
      '2b',
      '2|B|',
    ]);
    const doubted = await convert(engines({}));
    expect([doubted.checked, doubted.claims, await claimsOf(doubted.path)]).to.deep.equal([
      false,
      undefined,
      undefined,
    ]);
  });

  it('continues when a program fails on the document, and stops when it is missing', async () => {
    const failure = (code: string) => async (): Promise<void> => {
      throw Object.assign(new Error(code), { code });
    };
    expect((await convert(engines({ repaired: no('one') }, failure('PROGRAM_FAILED')))).claims).to.equal(undefined);
    expect((await failing(convert(engines({ repaired: no('one') }, failure('PROGRAM_MISSING'))))).code).to.equal(
      'PROGRAM_MISSING',
    );
    expect((await convert(engines({ repaired: yes }, failure('PROGRAM_MISSING')))).claims).to.equal('2b');
  });

  it('ends on cancellation', async () => {
    const controller = new AbortController();
    const stopping = engines({ repaired: no('one') }, async () => {
      controller.abort();
      throw new Error('stopped');
    });
    const error = await failing(
      convertToPdfA(source, TWO_B, stopping, {
        folder: join(folder, 'work'),
        now: new Date(0),
        strict: false,
        signal: controller.signal,
      }),
    );
    expect([error.data, asked]).to.deep.equal([undefined, ['repaired', 'draw']]);
  });

  it('repeats any information dictionary in XMP, and claims the target', async () => {
    const pdf = await PDFDocument.load(await import('node:fs').then(({ readFileSync }) => readFileSync(source)), {
      updateMetadata: false,
    });
    pdf.catalog.set(
      PDFName.of('Metadata'),
      pdf.context.register(
        pdf.context.stream('<!DOCTYPE x [<!ENTITY e "boom">]><x>&e;</x>', { Type: 'Metadata', Subtype: 'XML' }),
      ),
    );
    const info = pdf.context.lookup(pdf.context.trailerInfo.Info) as unknown as {
      set(key: PDFName, value: PDFHexString): void;
    };
    info.set(PDFName.of('CreationDate'), PDFHexString.fromText('yesterday'));
    info.set(PDFName.of('Author'), PDFHexString.fromText('A \u0001 & <b>'));
    writeFileSync(source, await pdf.save());
    const { path } = await convert(engines({ repaired: yes }), { part: 3, level: 'U' });
    const xmp = await withPdf({ path }, {}, ({ document: { context } }) => {
      expect([
        claimsGoal(context, { part: 3, level: 'U' }),
        claimsGoal(context, { part: 3, level: 'B' }),
        claimsGoal(context, TWO_B),
      ]).to.deep.equal([true, true, false]);
      return import('@quire/document/structure/metadata').then(({ readXmp }) => readXmp(context) ?? '');
    });
    expect(xmp)
      .to.contain('A &lt;title&gt; &amp; more')
      .and.contain('A  &amp; &lt;b&gt;')
      .and.not.contain('DOCTYPE')
      .and.not.contain('CreateDate');
  });
});

describe('colour profiles', () => {
  it('are always the same bytes, of the right class, with a correct length', () => {
    for (const [make, kind] of [
      [srgbProfile, 'mntr'],
      [rgbOutputProfile, 'prtr'],
    ] as const) {
      const bytes = Buffer.from(make());
      expect([
        bytes.toString('latin1', 12, 16),
        bytes.toString('latin1', 16, 20),
        bytes.toString('latin1', 36, 40),
        bytes.readUInt32BE(0),
      ]).to.deep.equal([kind, 'RGB ', 'acsp', bytes.length]);
      expect(bytes.equals(Buffer.from(make()))).to.equal(true);
    }
  });
});
