import { expect } from 'chai';
import { createTestServer } from '@quire/core';
import { makePdf } from '../../kit/make-pdf.js';
import { expectProblem, field, file, json, post, send } from '../support/client.js';
import { until, type TestServer } from '../support/server.js';

const STRICT = { prefer: 'handling=strict' };

describe('Values that another one replaces', () => {
  let server: TestServer;
  let pdf: Uint8Array;
  const call = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    post(
      `${server.url}/api/v1/${path}`,
      [file(pdf), ...Object.entries(fields).map(([name, value]) => field(name, value))],
      headers,
    );

  before(async () => {
    pdf = await makePdf({ pages: 2 });
    server = await createTestServer({
      plugins: ['@quire/plugin-general', '@quire/plugin-misc', '@quire/plugin-security', '@quire/plugin-convert'],
    });
    await server.start();
  });
  after(() => server.stop());

  const replacedBy: readonly (readonly [string, Record<string, string>, string])[] = [
    ['general/merge-pdfs', { sortType: 'newest' }, 'sortType=orderProvided'],
    ['general/scale-pages', { pageSize: 'A4', orientation: 'sideways' }, 'orientation=PORTRAIT'],
    ['general/booklet-imposition', { spineLocation: 'top', gutterSize: '-3' }, 'spineLocation=LEFT, gutterSize=0'],
    ['misc/add-page-numbers', { fontColor: 'pinkish', position: '12' }, 'fontColor=#000000, position=9'],
    ['misc/add-page-numbers', { fontType: 'comic', customMargin: 'huge' }, 'customMargin=medium, fontType=helvetica'],
    ['misc/add-stamp', { stampType: 'text', stampText: 'X', customColor: 'red' }, 'customColor=#c0c0c0'],
    [
      'security/add-watermark',
      { watermarkType: 'text', watermarkText: 'X', alphabet: 'latin', opacity: '7', customColor: '#12' },
      'alphabet=roman, opacity=1, customColor=#c0c0c0',
    ],
    ['security/redact', { pageRedactionColor: 'black-ish', pageNumbers: '1' }, 'pageRedactionColor=#000000'],
    [
      'convert/pdf/img',
      { colorType: 'sepia', dpi: '36', singleOrMultiple: 'one' },
      'singleOrMultiple=multiple, colorType=color',
    ],
  ];
  for (const [path, fields, expected] of replacedBy) {
    it(`are named by ${path}: ${expected}`, async () => {
      const answer = await call(path, fields);
      expect(answer.status, answer.body.toString()).to.equal(200);
      expect(answer.headers['x-replaced-values']).to.equal(expected);
    });

    it(`are refused by ${path} under handling=strict: ${expected}`, async () => {
      const answer = await call(path, fields, STRICT);
      const { errors } = expectProblem(answer, 400, 'INPUT_INVALID');
      expect(errors?.map(({ pointer }) => pointer.slice(1)).join(' ')).to.equal(
        expected
          .split(', ')
          .map((entry) => entry.split('=')[0])
          .join(' '),
      );
      expect(errors?.[0]?.detail).to.contain('handling=strict');
    });
  }

  it('are not reported for values that can be used', async () => {
    const answer = await call(
      'misc/add-page-numbers',
      { fontColor: '0xFF0000', position: '9', fontType: 'Courier', customMargin: 'X-Large', zeroPad: '2' },
      STRICT,
    );
    expect(answer.status, answer.body.toString()).to.equal(200);
    expect(answer.headers).to.not.have.property('x-replaced-values');
  });

  it('include an unknown value of async, which runs the call at once', async () => {
    const answer = await call('general/rotate-pdf', { angle: '90', async: 'yes' });
    expect(answer.status).to.equal(200);
    expect(answer.headers['content-type']).to.contain('application/pdf');
    expect(answer.headers['x-replaced-values']).to.equal('async=false');
    const { errors } = expectProblem(
      await call('general/rotate-pdf', { angle: '90', async: 'yes' }, STRICT),
      400,
      'INPUT_INVALID',
    );
    expect(errors).to.deep.equal([{ pointer: '/async', detail: 'async must be true or false; found "yes"' }]);
  });

  it('are named in the answer to a job and in its result', async () => {
    const started = await call('general/merge-pdfs', { sortType: 'newest', async: 'true' });
    expect(started.headers['x-replaced-values']).to.equal('sortType=orderProvided');
    const { jobId } = json<{ jobId: string }>(started);
    const path = `${server.url}/api/v1/general/job/${jobId}`;
    await until('the job has ended', async () => (await send(`${path}/result`)).status !== 400);
    const result = await fetch(`${path}/result`);
    expect(result.status).to.equal(200);
    expect(result.headers.get('x-replaced-values')).to.equal('sortType=orderProvided');
  });

  describe('in a pipeline', () => {
    const definition = JSON.stringify({
      pipeline: [{ operation: '/api/v1/misc/add-page-numbers', parameters: { fontColor: 'pinkish', fontsize: '9' } }],
    });

    it('are named by step, beside unknown fields', async () => {
      const answer = await call('pipeline/handleData', { json: definition, async: 'maybe' });
      expect(answer.status, answer.body.toString()).to.equal(200);
      expect(answer.headers['x-replaced-values']).to.equal('async=false, /pipeline/0/parameters/fontColor=#000000');
      expect(answer.headers['x-ignored-fields']).to.equal('/pipeline/0/parameters/fontsize');
    });

    it('are refused under handling=strict', async () => {
      const answer = await call('pipeline/handleData', { json: definition }, STRICT);
      const { errors } = expectProblem(answer, 400, 'PIPELINE_INVALID');
      expect(errors?.map(({ pointer }) => pointer)).to.deep.equal([
        '/pipeline/0/parameters/fontsize',
        '/pipeline/0/parameters/fontColor',
      ]);
    });

    it('are reported by pipeline/validate', async () => {
      const validate = (headers = {}) =>
        post(`${server.url}/api/v1/pipeline/validate`, [field('json', definition)], headers);
      const { valid, replaced, ignored } = json<Record<string, { pointer: string; detail: string }[]>>(
        await validate(),
      );
      expect(valid).to.equal(true);
      expect(replaced).to.deep.equal([
        {
          pointer: '/pipeline/0/parameters/fontColor',
          detail: 'fontColor cannot be "pinkish"; without handling=strict it is replaced by #000000',
        },
      ]);
      expect(ignored?.map(({ detail }) => detail)).to.deep.equal([
        'fontsize is not a field of this operation and is ignored; did you mean fontSize?',
      ]);
      expectProblem(await validate(STRICT), 400, 'PIPELINE_INVALID');
    });
  });

  it('never stand for the missing text of a watermark', async () => {
    for (const fields of [
      { watermarkType: 'text' },
      { watermarkType: 'Text', watermarkText: '' },
      { watermarkType: 'text', watermarkText: ' \\n ' },
    ]) {
      const { errors } = expectProblem(await call('security/add-watermark', fields), 400, 'INPUT_INVALID');
      expect(errors?.map(({ pointer }) => pointer)).to.deep.equal(['/watermarkText']);
      expect(errors?.[0]?.detail).to.match(/watermarkText.* is required$/);
    }
  });
});
