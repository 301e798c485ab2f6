import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { expect } from 'chai';
import { readZip } from '../../kit/read-zip.js';
import { expectProblem, json, type Answer } from '../support/client.js';
import { API, definitionOf, step, usePipelines, withMorePages } from '../support/pipelines.js';
import { productRoot } from '../support/server.js';

interface Dropped {
  readonly file: string;
  readonly step: number;
  readonly reason: string;
  readonly pointer?: string;
  readonly code?: string;
}

/** Text that does not open as a PDF although its name and its first bytes say so. */
const broken = Buffer.from('%PDF-1.7\nnothing more');

describe('Branches of a pipeline', () => {
  const pipelines = usePipelines(['@quire/plugin-security']);
  const rotate = (angle: number): object => step('general/rotate-pdf', { angle });
  const merge = step('general/merge-pdfs');
  const long = { fact: 'pages', above: 2 };
  const mixed = (): readonly [Uint8Array, string][] => [
    [pipelines.one, 'a.pdf'],
    [pipelines.three, 'b.pdf'],
    [pipelines.one, 'c.pdf'],
  ];
  const run = (pipeline: readonly unknown[], files = mixed(), rest = {}): Promise<Answer> =>
    pipelines.run(definitionOf(pipeline, rest), files);

  /** Names, numbers of pages and angles of the files of an answer, as another library reads them. */
  async function results(answer: Answer): Promise<readonly string[]> {
    expect(answer.status, answer.body.toString('utf8', 0, 500)).to.equal(200);
    const isZip = String(answer.headers['content-disposition']).includes('output.zip');
    const name = /filename="([^"]*)"/.exec(String(answer.headers['content-disposition']))?.[1] ?? '';
    const files = isZip ? await readZip(answer.body) : [{ name, bytes: answer.body }];
    return Promise.all(
      files.map(async (file) => {
        const pages = (await PDFDocument.load(file.bytes)).getPages();
        return `${file.name} ${pages.map((page) => page.getRotation().angle).join(',')}`;
      }),
    );
  }

  const dropped = (answer: Answer): readonly Dropped[] =>
    (JSON.parse(String(answer.headers['x-pipeline-report'])) as { readonly dropped: readonly Dropped[] }).dropped;

  it('send each file one way by a fact, and bring them together in their order', async () => {
    const answer = await run([{ if: long, then: [rotate(180)], else: [rotate(90)] }]);
    expect(await results(answer)).to.deep.equal(['a.pdf 90', 'b.pdf 180,180,180', 'c.pdf 90']);
    const merged = await run([{ if: long, then: [rotate(180)] }, merge]);
    expect(await results(merged)).to.have.length(1);
    expect((await results(merged))[0]).to.match(/ 0,180,180,180,0$/);
  });

  it('warn with the names of the files that a warning is about, if there are several', async () => {
    const second = step('general/rearrange-pages', { pageNumbers: '2,9' });
    const files = [pipelines.three, pipelines.three].map((bytes, i): [Uint8Array, string] => [bytes, `${i}.pdf`]);
    const several = String((await run([rotate(90), second], files)).headers['x-warnings']);
    expect(several).to.match(/^0\.pdf, 1\.pdf: .*9/);
    const one = String((await run([{ each: [second] }], files.slice(0, 1))).headers['x-warnings']);
    expect(several).to.equal(`0.pdf, 1.pdf: ${one}`);
    const each = String((await run([{ each: [second] }], files)).headers['x-warnings']);
    expect(each).to.equal(several);
  });

  it('ask filters of the server, and combine conditions', async () => {
    const filter = { filter: `${API}/filter/filter-page-count`, parameters: withMorePages(2).parameters };
    const cases: readonly [object, string][] = [
      [filter, 'b'],
      [{ not: filter }, 'ac'],
      [{ all: [{ fact: 'kind', is: 'pdf' }, { fact: 'encrypted', is: false }, long] }, 'b'],
      [{ any: [long, { fact: 'name', in: ['C.pdf'] }] }, 'bc'],
      [{ fact: 'pages', atLeast: 1, atMost: 1 }, 'ac'],
      [{ fact: 'hasText', is: true }, 'abc'],
      [{ fact: 'size', below: 2 }, ''],
    ];
    for (const [condition, turned] of cases) {
      const names = (await results(await run([{ if: condition, then: [rotate(90)] }])))
        .filter((text) => text.includes('90'))
        .map((text) => text[0]);
      expect(names.join(''), JSON.stringify(condition)).to.equal(turned);
    }
  });

  it('ask whether a file carries an electronic invoice, or is one', async () => {
    const namespace = 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100';
    const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<rsm:CrossIndustryInvoice xmlns:rsm="${namespace}"/>`;
    const carrier = await PDFDocument.load(pipelines.one);
    await carrier.attach(Buffer.from(xml), 'invoice of May.xml', { mimeType: 'text/xml' });
    const files: [Uint8Array, string][] = [
      [pipelines.one, 'a.pdf'],
      [await carrier.save(), 'b.pdf'],
    ];
    const turned = [{ if: { fact: 'invoice', is: true }, then: [rotate(90)] }];
    expect(await results(await run(turned, files))).to.deep.equal(['a.pdf 0', 'b.pdf 90']);
    const invoices = { if: { fact: 'invoice', is: true }, then: [], else: [{ ...rotate(90), onError: 'skip' }] };
    const kept = await run([invoices], [[Buffer.from(xml), 'c.xml']]);
    expect(kept.status).to.equal(200);
    expect(kept.body.toString()).to.equal(xml);
  });

  it('run the branches of parallel on the same files, and pass on the results of all', async () => {
    const answer = await run([{ parallel: [[rotate(90)], [], [rotate(180), rotate(90)]] }], [[pipelines.one, 'a.pdf']]);
    expect(await results(answer)).to.deep.equal(['a.pdf 90', 'a(1).pdf 0', 'a(2).pdf 270']);
    const both = await run([{ parallel: [[rotate(90)], [], []] }, merge], [[pipelines.one, 'a.pdf']]);
    expect((await results(both))[0]).to.match(/ 90,0,0$/);
  });

  it('run the steps of each for every file alone, also those that take several', async () => {
    const each = { each: [{ parallel: [[rotate(90)], [rotate(180)]] }, merge], name: '{{file.base}}-both' };
    expect(await results(await run([each]))).to.deep.equal([
      'a-both.pdf 90,180',
      'b-both.pdf 90,90,90,180,180,180',
      'c-both.pdf 90,180',
    ]);
  });

  it('name results by the file, its inputs and their number', async () => {
    const name = '{{input.customer}} {{file.base}}.pdf';
    const named = await run([{ ...rotate(90), name }], [[pipelines.one, 'a.pdf']], { values: { customer: 'M/x' } });
    expect(await results(named)).to.deep.equal(['x a.pdf 90']);
    const split = { ...step('general/split-pages', { pageNumbers: 'all' }), name: 'page' };
    expect(await results(await run([split], [[pipelines.three, 'b.pdf']]))).to.deep.equal([
      'page-1.pdf 0',
      'page-2.pdf 0',
      'page-3.pdf 0',
    ]);
  });

  it('go on without a file, or with the file as it was, where a step may fail', async () => {
    const files: readonly [Uint8Array, string][] = [...mixed().slice(0, 1), [broken, 'bad.pdf']];
    const skipped = await run([{ ...rotate(90), onError: 'skip' }], files);
    expect(await results(skipped)).to.deep.equal(['a.pdf 90']);
    expect(dropped(skipped)).to.deep.equal([
      {
        file: 'bad.pdf',
        step: 0,
        operation: `${API}/general/rotate-pdf`,
        reason: 'error',
        pointer: '/pipeline/0',
        code: 'PDF_DAMAGED',
      },
    ]);
    expect(skipped.headers['x-warnings']).to.match(/Step 0 .* failed on bad\.pdf: .* left out/);
    const gone = await run([{ ...rotate(90), onError: 'continue' }], files);
    expect(gone.status).to.equal(200);
    const entries = await readZip(gone.body);
    expect(entries.map(({ name }) => name)).to.deep.equal(['a.pdf', 'bad.pdf']);
    expect(Buffer.from(entries[1]!.bytes).equals(broken)).to.equal(true);
    expectProblem(await run([{ ...rotate(90), onError: 'stop' }], files), 400, 'PDF_DAMAGED');
  });

  it('fail as their steps do: at the step inside, for its own way or for one file', async () => {
    const files: readonly [Uint8Array, string][] = [...mixed(), [broken, 'bad.pdf']];
    const outOfRange = step('general/split-pages', { pageNumbers: '3' });
    const inside = expectProblem(await run([{ if: long, then: [], else: [outOfRange] }]), 400, 'PAGES_OUT_OF_RANGE');
    expect(inside.errors?.[0]?.pointer).to.equal('/pipeline/0/else/0/parameters/pageNumbers');
    const fact = expectProblem(await run([{ if: long, then: [rotate(90)] }], files), 400, 'PDF_DAMAGED');
    expect(fact.errors?.[0]?.pointer).to.equal('/pipeline/0/if');
    expect(fact.detail).to.include('bad.pdf');
    const asked = await run([{ if: long, then: [rotate(90)], onError: 'skip' }], files);
    expect(await results(asked)).to.deep.equal(['a.pdf 0', 'b.pdf 90,90,90', 'c.pdf 0']);
    const way = await run([{ parallel: [[rotate(90)], [outOfRange]], onError: 'skip' }]);
    expect(await results(way)).to.have.length(3);
    const alone = await run([{ each: [rotate(90), outOfRange], onError: 'continue' }]);
    expect((await results(alone)).map((text) => text.split(' ')[1])).to.deep.equal(['0', '90,90,90', '0']);
  });

  it('hold what they held for all others, though each step appends to its file', async () => {
    const keep = step('filter/filter-page-count', { pageCount: 9, comparator: 'Less' });
    const one: readonly [Uint8Array, string][] = [[pipelines.one, 'a.pdf']];
    const angles = async (steps: readonly unknown[]): Promise<readonly string[]> =>
      (await results(await run(steps, one))).map((text) => text.split(' ')[1] ?? '');
    const [quarter, half] = [rotate(90), rotate(180)];
    expect(await angles([quarter, quarter, quarter])).to.deep.equal(['270']);
    expect(await angles([quarter, { parallel: [[keep], [keep]] }, quarter, quarter])).to.deep.equal(['270', '270']);
    expect(await angles([quarter, { parallel: [[half], [quarter], [keep]] }, quarter])).to.deep.equal([
      '0',
      '270',
      '180',
    ]);
    const failing = {
      each: [quarter, quarter, step('general/split-pages', { pageNumbers: '3' })],
      onError: 'continue',
    };
    expect(await angles([quarter, failing, quarter])).to.deep.equal(['180']);
    const crash = { each: [quarter, step('misc/unruly-crash')], onError: 'continue' };
    expect(await angles([quarter, crash, quarter])).to.deep.equal(['180']);
  });

  it('go on after a file that crashes its worker', async () => {
    const answer = await run([{ ...step('misc/unruly-crash'), onError: 'continue' }], [[pipelines.one, 'a.pdf']]);
    expect(answer.status).to.equal(200);
    expect(answer.headers['x-warnings']).to.include('goes on unchanged');
  });

  it('are checked before the first byte, with pointers to where they are wrong', async () => {
    const inPart = (condition: unknown): object => ({ if: condition, then: [] });
    const cases: readonly [unknown, string, RegExp][] = [
      [inPart({ fact: 'page', above: 1 }), '/if/fact', /not a fact.*did you mean pages\?/],
      [inPart({ fact: 'pages', above: 'ten' }), '/if/above', /must be a number; found "ten"/],
      [inPart({ fact: 'encrypted', above: 1 }), '/if/above', /cannot be used with this fact; is can/],
      [inPart({ fact: 'kind', in: ['jpg'] }), '/if/in/0', /did you mean jpeg/],
      [inPart({ fact: 'pages' }), '/if', /compares with nothing/],
      [inPart({ all: [] }), '/if/all', /an empty list/],
      [inPart({ not: { fact: 'x' } }), '/if/not/fact', /not a fact/],
      [inPart({ filter: `${API}/filter/filter-pages` }), '/if/filter', /not an operation/],
      [inPart({ filter: `${API}/general/rotate-pdf` }), '/if/filter', /is not a filter/],
      [
        inPart({ filter: `${API}/filter/filter-page-count`, parameters: { comparator: 'More' } }),
        '/if/parameters/comparator',
        /must be one of/,
      ],
      [inPart('pages > 10'), '/if', /must be a condition/],
      [{ if: long, then: [], esle: [] }, '/esle', /not a member/],
      [{ if: long }, '/then', /must be a list of steps; found nothing/],
      [{ parallel: [] }, '/parallel', /an empty list/],
      [{ parallel: [rotate(90)] }, '/parallel/0', /must be a list of steps; found an object/],
      [{ each: [] }, '/each', /has no steps/],
      [{ each: [step('general/rotate-pdf', { angle: 45 })] }, '/each/0/parameters/angle', /90/],
      [{ parallel: [[], [step('nothing/here')]] }, '/parallel/1/0/operation', /not an operation/],
      [{ ...rotate(90), if: long }, '', /has operation and if/],
      [{ ...rotate(90), onError: 'ignore' }, '/onError', /stop, skip, continue; found "ignore"/],
      [{ ...rotate(90), name: '{{file.bass}}' }, '/name', /stands for nothing/],
      [{ ...rotate(90), name: 7 }, '/name', /must be a text/],
      [{ parallel: [[]], name: 'x' }, '/name', /not a member/],
    ];
    for (const [wrong, pointer, detail] of cases)
      await pipelines.expectFault(definitionOf([wrong]), `/pipeline/0${pointer}`, detail);
  });

  it('must fit to the step after them', async () => {
    const echo = step('misc/unruly-echo');
    const lock = step('security/add-password', { password: 'x' });
    const cases: readonly [readonly unknown[], string, RegExp][] = [
      [[{ parallel: [[echo], [rotate(90)]] }, merge], '/pipeline/1/operation', /come from \/pipeline\/0\/parallel\/0/],
      [[{ if: long, then: [echo], else: [rotate(90)] }, merge], '/pipeline/1/operation', /from \/pipeline\/0\/then/],
      [[echo, { if: long, then: [rotate(90)] }], '/pipeline/1/if', /can never be true/],
      [[rotate(90), { if: { fact: 'kind', is: 'docx' }, then: [] }], '/pipeline/1/if', /can never be true/],
      [
        [{ parallel: [[lock], []] }, merge],
        '/pipeline/1/operation',
        /the step at \/pipeline\/0\/parallel\/0\/0 locks it/,
      ],
      [[lock, { if: long, then: [] }], '/pipeline/1/if', /step 0 locks it/],
      [[rotate(90), { ...echo, onError: 'continue' }, rotate(90)], '/pipeline/2/operation', /the steps before it/],
    ];
    for (const [pipeline, pointer, detail] of cases)
      await pipelines.expectFault(definitionOf(pipeline), pointer, detail);
    const apart = { if: { fact: 'locked', is: true }, then: [], else: [rotate(90)] };
    expect(
      (await pipelines.validate(definitionOf([lock, { if: { fact: 'locked', is: true }, then: [] }]))).status,
    ).to.equal(200);
    expect((await pipelines.validate(definitionOf([apart]))).status).to.equal(200);
  });

  it('are bounded in number and depth', async () => {
    let nested: object = rotate(90);
    for (let i = 0; i < 9; i++) nested = { each: [nested] };
    await pipelines.expectFault(definitionOf([nested]), `/pipeline/0${'/each/0'.repeat(8)}`, /deeper than 8 levels/);
    const wide = { parallel: Array.from({ length: 10 }, () => [rotate(90)]) };
    await pipelines.expectFault(definitionOf([wide]), '/pipeline', /has 11 steps; the limit is 10/);
    const tests = { any: Array.from({ length: 21 }, () => long) };
    await pipelines.expectFault(definitionOf([{ if: tests, then: [] }]), '/pipeline/0/if', /more than 20 times/);
  });

  it('do not make thousands of files of one', async () => {
    const double = { parallel: [[], []] };
    const seven = Array.from({ length: 7 }, () => double);
    await pipelines.expectFault(definitionOf(seven), '/pipeline/6', /makes 128 results of each file; at most 100/);
    const inside = { each: [...seven.slice(0, 4), { each: seven.slice(4) }] };
    await pipelines.expectFault(definitionOf([inside]), '/pipeline/0/each/4', /makes 128 results/);
    const joined = [...seven.slice(0, 4), merge, ...seven.slice(4)];
    expect((await pipelines.validate(definitionOf(joined))).status).to.equal(200);
  });

  it('are listed by the check with every operation inside', async () => {
    const { parameters } = withMorePages(2);
    const answer = await pipelines.validate(
      definitionOf([{ if: { filter: `${API}/filter/filter-page-count`, parameters }, then: [rotate(90)] }, merge]),
    );
    expect(answer.status, answer.body.toString()).to.equal(200);
    const { steps } = json<{ steps: { operation: string; pointer?: string }[] }>(answer);
    expect(steps.map(({ operation, pointer }) => [operation.split('/').at(-1), pointer])).to.deep.equal([
      ['filter-page-count', '/pipeline/0/if'],
      ['rotate-pdf', '/pipeline/0/then/0'],
      ['merge-pdfs', undefined],
    ]);
  });

  it('run as the guide shows them', async () => {
    const guide = readFileSync(join(productRoot, 'docs/guides/pipelines.md'), 'utf8');
    const [, section = ''] = guide.split('\n## Branches\n');
    const examples = [...(section.split('\n## ')[0] ?? '').matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(
      ([, text = '']) => text,
    );
    expect(examples).to.have.length(3);
    const names: string[] = [];
    for (const example of examples) {
      const answer = await pipelines.run(example, [[pipelines.three, 'b.pdf']]);
      names.push((await results(answer)).join());
    }
    expect(names).to.deep.equal([
      'b_merged.pdf 90,90,90',
      'b-both-ways.pdf 180,180,180,0,0,0',
      'b-turned.pdf 90,90,90',
    ]);
    const facts = await pipelines.validate(definitionOf([{ if: { fact: '' }, then: [] }]));
    const known = /known are ([\w, ]+)/.exec(json<{ detail: string }>(facts).detail)?.[1]?.split(', ') ?? [];
    expect(known).to.have.length.greaterThan(5);
    for (const name of known) expect(section).to.include(`\`${name}\``);
  });
});
