import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { PeerJob } from './job.js';
import { jobs } from './jobs.js';
import { isMet, mergeRows, problemsOf, rowOf, tableHead, type PeerResult } from './table.js';

const job: PeerJob = {
  name: 'rotate-10',
  what: 'rotate 10 pages',
  inputs: () => Promise.resolve([]),
  ours: { path: 'general/rotate-pdf', fields: {} },
  check: { kind: 'pdf', files: 1, pages: 10 },
  wish: { ms: 6, perSecond: 350, gotenbergMs: 30 },
};
const result: PeerResult = {
  job,
  load: 0.25,
  ours: { ms: 5, perSecond: 400 },
  gotenberg: { ms: 25, perSecond: 60.4 },
  native: { ms: 12 },
  command: 'qpdf --rotate=+90',
};

describe('The table of the peers', () => {
  it('writes times, rates, both ratios and the wish as ratios to Gotenberg and to the native program', () => {
    expect(rowOf(result)).to.equal(
      '| rotate 10 pages | 5.0 | 25 | 0.20 | 400 | 60 | 12 (`qpdf --rotate=+90`) | 0.42 | ' +
        '≤ 6 ms, ≥ 350/s (0.20 × Gotenberg, 0.50 × native): met | 0.3 |',
    );
  });

  it('leaves cells empty that have no number, and says why', () => {
    const partly: PeerResult = { ...result, gotenberg: {}, native: { problem: 'qpdf not installed' } };
    expect(rowOf(partly)).to.equal(
      '| rotate 10 pages | 5.0 |  |  | 400 |  |  |  | ≤ 6 ms, ≥ 350/s (0.20 × Gotenberg): met | 0.3 |',
    );
    expect(problemsOf(partly)).to.deep.equal(['rotate 10 pages, the native program: qpdf not installed']);
  });

  it('has as many cells in a row as in its head', () => {
    const cells = (line: string): number => line.split('|').length;
    expect(new Set([...tableHead, rowOf(result), rowOf({ ...result, ours: {}, native: {} })].map(cells)).size).to.equal(
      1,
    );
  });

  it('counts a wish as met only with both the time and the rate', () => {
    expect(isMet(job.wish, { ms: 6, perSecond: 350 })).to.equal(true);
    expect(isMet(job.wish, { ms: 6.1, perSecond: 350 })).to.equal(false);
    expect(isMet(job.wish, { ms: 6, perSecond: 349 })).to.equal(false);
    expect(isMet({ perSecond: 70 }, { ms: 1000, perSecond: 71 })).to.equal(true);
    expect(isMet(job.wish, { ms: 6 })).to.equal(undefined);
    expect(isMet(job.wish, {})).to.equal(undefined);
  });

  it('allows a time that is to be kept a tenth more', () => {
    expect(isMet({ ms: 100, keep: true }, { ms: 109 })).to.equal(true);
    expect(isMet({ ms: 100, keep: true }, { ms: 111 })).to.equal(false);
  });

  it('keeps the rows of jobs that did not run', () => {
    const other: PeerJob = { ...job, name: 'rotate-500', what: 'rotate 500 pages' };
    const page = ['| rotate 500 pages | 30 |', '| rotate 10 pages | 7.0 |', 'text'].join('\n');
    expect(mergeRows(page, new Map([[job.what, '| rotate 10 pages | 5.0 |']]), [job, other])).to.deep.equal([
      '| rotate 10 pages | 5.0 |',
      '| rotate 500 pages | 30 |',
    ]);
  });
});

describe('The jobs of the peers', () => {
  it('have names and titles of their own', () => {
    expect(new Set(jobs.map(({ name }) => name)).size).to.equal(jobs.length);
    expect(new Set(jobs.map(({ what }) => what)).size).to.equal(jobs.length);
  });

  it('call operations and fields that the API document has', async () => {
    const document = JSON.parse(await readFile('docs/reference/openapi.json', 'utf8')) as {
      paths: Record<
        string,
        { post?: { requestBody: { content: Record<string, { schema: { $ref?: string; properties?: object } }> } } }
      >;
      components: { schemas: Record<string, { properties?: object }> };
    };
    for (const { name, ours } of jobs) {
      const schema = document.paths[`/api/v1/${ours.path}`]?.post?.requestBody.content['multipart/form-data']?.schema;
      expect(schema, `${name}: ${ours.path}`).to.not.equal(undefined);
      const found = document.components.schemas[schema?.$ref?.split('/').at(-1) ?? ''] ?? schema;
      expect(Object.keys(found?.properties ?? {}), name).to.include.members(Object.keys(ours.fields));
    }
  });
});
