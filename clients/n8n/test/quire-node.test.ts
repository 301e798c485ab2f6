import { makePdf, serverForTests } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import { executeNode, type Execution } from './execute-node.js';
import type { Binary, Item } from './load-node.js';

describe('The n8n node', () => {
  const server = serverForTests();
  let pdf: Buffer;
  const pdfFile = (fileName: string): Binary => ({ fileName, mimeType: 'application/pdf', bytes: pdf });
  const item = (...names: string[]): Item => ({
    json: {},
    binary: Object.fromEntries(names.map((name) => [name, pdfFile(`${name}.pdf`)])),
  });
  const execute = (parameters: Execution['parameters'], rest: Partial<Execution> = {}): Promise<Item[]> =>
    executeNode({ url: server.url, parameters, items: [item('data')], ...rest });
  const pagesOf = async (output: Item | undefined, field = 'data'): Promise<PDFDocument> =>
    PDFDocument.load(output?.binary?.[field]?.bytes ?? new Uint8Array());

  before(async () => {
    pdf = Buffer.from(await makePdf({ pages: 2 }));
  });

  it('sends the file of each item and returns the results in the items', async () => {
    const outputs = await execute(
      { resource: 'general', operation: 'rotatePdf', options: { angle: 90 } },
      { items: [item('data'), item('data')] },
    );
    expect(outputs).to.have.length(2);
    expect((await pagesOf(outputs[1])).getPage(0).getRotation().angle).to.equal(90);
    expect(outputs[1]).to.have.nested.property('json.fileName', 'data_rotated.pdf');
    expect(outputs[1]).to.have.deep.property('pairedItem', [{ item: 1 }]);
  });

  it('processes the files of all items, and of several fields, by one call', async () => {
    const outputs = await execute(
      { resource: 'general', operation: 'mergePdfs', inputField: 'a, b', outputField: 'merged' },
      { items: [item('a', 'b'), item('a', 'b')] },
    );
    expect(outputs).to.have.length(1);
    expect((await pagesOf(outputs[0], 'merged')).getPageCount()).to.equal(8);
    const each = await execute(
      { resource: 'general', operation: 'mergePdfs', inputField: 'a, b', together: false },
      { items: [item('a', 'b'), item('a', 'b')] },
    );
    expect(each).to.have.length(2);
    expect((await pagesOf(each[0])).getPageCount()).to.equal(4);
  });

  it('sends second files from their fields', async () => {
    const [output] = await execute(
      { resource: 'general', operation: 'overlayPdfs', overlayFiles: 'stamp', overlayMode: 'SequentialOverlay' },
      { items: [item('data', 'stamp')] },
    );
    expect((await pagesOf(output)).getPageCount()).to.equal(2);
  });

  it('returns an answer in JSON as the data of the item', async () => {
    const [output] = await execute({ resource: 'analysis', operation: 'countPages' });
    expect(output?.json).to.include({ pageCount: 2 });
    expect(output).to.not.have.property('binary');
  });

  it('waits for a job, and returns several result files as items or as fields', async () => {
    const split = { resource: 'general', operation: 'splitPages', pageNumbers: 'all', options: { pageNumbers: 'all' } };
    const [zip] = await execute({ ...split, runAs: 'job' });
    expect(zip?.binary?.['data']?.mimeType).to.match(/zip|octet-stream/);
    const items = await execute({ ...split, severalFiles: 'items' });
    expect(items).to.have.length(2);
    expect((await pagesOf(items[1])).getPageCount()).to.equal(1);
    const [fields] = await execute({ ...split, severalFiles: 'fields' });
    expect(Object.keys(fields?.binary ?? {})).to.deep.equal(['data', 'data1']);
  });

  it('starts a job, and gets and deletes it later', async () => {
    const [started] = await execute({ resource: 'general', operation: 'rotatePdf', runAs: 'start' });
    const jobId = String(started?.json['jobId']);
    let status = '';
    while (!/succeeded|failed/.test(status)) {
      const [job] = await execute({ resource: 'job', operation: 'get', jobId });
      status = String(job?.json['status']);
    }
    const [result] = await execute({ resource: 'job', operation: 'getResult', jobId });
    expect((await pagesOf(result)).getPageCount()).to.equal(2);
    await execute({ resource: 'job', operation: 'delete', jobId });
    const [gone] = await execute({ resource: 'job', operation: 'get', jobId }, { continueOnFail: true });
    expect(gone?.json).to.include({ status: 404, code: 'JOB_UNKNOWN' });
  });

  it('reports code, field and advice of the server when it refuses', async () => {
    const call = execute({ resource: 'general', operation: 'rotatePdf', options: { angle: 45 } });
    const error = await call.then(
      () => undefined,
      (reason: unknown) => reason as Error & { description?: string; httpCode?: string },
    );
    expect(error?.httpCode).to.equal('400');
    expect(error?.message).to.contain('angle');
    expect(error?.description).to.contain('/angle').and.to.contain('Code: INPUT_INVALID');
  });

  it('continues with the error as data where the workflow wants that, also for a job that fails', async () => {
    const broken: Binary = { fileName: 'broken.pdf', mimeType: 'application/pdf', bytes: Buffer.from('not a PDF') };
    const [direct] = await execute(
      { resource: 'general', operation: 'rotatePdf' },
      { items: [{ json: {}, binary: { data: broken } }], continueOnFail: true },
    );
    expect(direct?.json).to.include({ status: 400, code: 'PDF_DAMAGED' });
    const [missing] = await execute(
      { resource: 'general', operation: 'rotatePdf', inputField: 'other' },
      { continueOnFail: true },
    );
    expect(missing?.json['error']).to.contain('"other"');
    const [failed] = await execute(
      { resource: 'general', operation: 'rotatePdf', runAs: 'job' },
      { items: [{ json: {}, binary: { data: broken } }], continueOnFail: true },
    );
    expect(failed?.json).to.include({ status: 400, code: 'PDF_DAMAGED', detail: direct?.json['detail'] });
  });

  it('says that an operation is unknown to it', async () => {
    const [output] = await execute({ resource: 'general', operation: 'toString' }, { continueOnFail: true });
    expect(output?.json['error']).to.equal('Unknown operation "toString"');
  });
});
