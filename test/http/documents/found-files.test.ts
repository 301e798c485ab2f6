import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { readZip } from '../../kit/read-zip.js';
import { field, file, json, post, send, type Answer } from '../support/client.js';
import { productRoot, quiet, startServer, until, type TestServer } from '../support/server.js';

const API = '/api/v1';
const fixture = (name: string): Promise<Buffer> => readFile(`${productRoot}/plugins/misc/fixtures/${name}`);

describe('Operations that return the files they find', () => {
  let server: TestServer;

  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());
  afterEach(() => quiet(server));

  const call = async (path: string, name: string): Promise<Answer> =>
    post(`${server.url}${API}/${path}`, [file(await fixture(name), name)]);

  /** The result of the same call as a job. */
  async function asJob(path: string, name: string): Promise<Answer> {
    const started = await post(`${server.url}${API}/${path}`, [
      file(await fixture(name), name),
      field('async', 'true'),
    ]);
    const { jobId } = json<{ jobId: string }>(started);
    await until(
      'the job is complete',
      async () =>
        json<{ complete: boolean }>(await send(`${server.url}${API}/general/job/${jobId}`, { method: 'GET' })).complete,
    );
    return send(`${server.url}${API}/general/job/${jobId}/result`, { method: 'GET' });
  }

  it('return an empty zip where no result is valid, directly and as a job', async () => {
    for (const answer of [
      await call('misc/extract-images', 'broken-table.pdf'),
      await asJob('misc/extract-images', 'broken-table.pdf'),
    ]) {
      expect(answer.status).to.equal(200);
      expect(answer.headers['content-type']).to.equal('application/octet-stream');
      expect(answer.headers['content-disposition']).to.contain('broken-table_extracted-images.zip');
      expect(readZip(answer.body)).to.deep.equal([]);
    }
  });

  it('remove a file without findings from a pipeline', async () => {
    const pipeline = {
      pipeline: [
        { operation: `${API}/misc/extract-images`, parameters: { format: 'png' } },
        { operation: `${API}/misc/extract-image-scans`, parameters: {} },
      ],
    };
    const answer = await post(`${server.url}${API}/pipeline/handleData`, [
      file(await fixture('broken-table.pdf'), 'a.pdf'),
      field('json', JSON.stringify(pipeline)),
    ]);
    expect(answer.status, answer.body.toString('utf8', 0, 300)).to.equal(204);
  });

  it('return a single file unpacked where allowed, directly and as a job', async () => {
    for (const answer of [
      await call('misc/extract-image-scans', 'one-photo.png'),
      await asJob('misc/extract-image-scans', 'one-photo.png'),
    ]) {
      expect(answer.status).to.equal(200);
      expect(answer.headers['content-type']).to.equal('image/png');
      expect(answer.headers['content-disposition']).to.contain('"one-photo.png"');
    }
  });

  it("return several files in a zip with the operation's name", async () => {
    for (const answer of [
      await call('misc/extract-image-scans', 'two-photos.png'),
      await asJob('misc/extract-image-scans', 'two-photos.png'),
    ]) {
      expect(answer.headers['content-disposition']).to.contain('two-photos_processed.zip');
      expect(readZip(answer.body).map(({ name }) => name)).to.deep.equal([
        'two-photos_processed_1.png',
        'two-photos_processed_2.png',
      ]);
    }
  });
});
