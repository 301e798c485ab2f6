import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePdf } from '../../kit/make-pdf.js';
import { expectProblem, field, file, json, pointers, post, send } from '../support/client.js';
import { productRoot, quiet, startServer, type TestServer, until } from '../support/server.js';

describe('Aliases of the document part', () => {
  let server: TestServer;
  let url: string;
  const handbook = readFileSync(join(productRoot, 'plugins/general/fixtures/handbook.pdf'));

  before(async () => {
    server = await startServer();
    url = `${server.url}/api/v1/general/extract-bookmarks`;
  });
  after(() => server.stop());
  afterEach(() => quiet(server));

  it('are accepted like fileInput, and are not ignored fields', async () => {
    for (const name of ['fileInput', 'file']) {
      const answer = await post(url, [file(handbook, 'handbook.pdf', name)]);
      expect(answer.status, answer.body.toString('utf8', 0, 300)).to.equal(200);
      expect(answer.headers['content-type']).to.match(/^application\/json/);
      expect(answer.headers['x-ignored-fields']).to.equal(undefined);
      expect(json(answer)).to.deep.equal([
        { title: 'Chapter one', pageNumber: 2, children: [] },
        { title: 'Chapter two', pageNumber: 3, children: [] },
      ]);
    }
  });

  it('rank after fileInput where both are sent', async () => {
    const none = await makePdf({ pages: 1 });
    for (const parts of [
      [file(none), file(handbook, 'h.pdf', 'file')],
      [file(handbook, 'h.pdf', 'file'), file(none)],
    ])
      expect(json(await post(url, parts))).to.deep.equal([]);
  });

  it('are accepted for jobs and beside a text of the same name', async () => {
    const started = json<{ jobId: string }>(await post(`${url}?async=true`, [file(handbook, 'handbook.pdf', 'file')]));
    const job = `${server.url}/api/v1/general/job/${started.jobId}`;
    await until('the job is done', async () => json<{ status: string }>(await send(job)).status === 'succeeded');
    expect(json<unknown[]>(await send(`${job}/result`))).to.have.length(2);
    expect((await post(url, [field('file', 'handbook.pdf'), file(handbook)])).status).to.equal(200);
  });

  it('are named when they are sent as text, and when nothing is sent', async () => {
    const problem = expectProblem(await post(url, [field('file', '@handbook.pdf')]), 400, 'INPUT_FILE_MISSING');
    expect(problem.errors).to.have.length(1);
    expect(problem.errors?.[0]?.pointer).to.equal('/file');
    expect(problem.errors?.[0]?.detail).to.contain('-F file=@');
    expect(pointers(expectProblem(await post(url, []), 400, 'INPUT_FILE_MISSING'))).to.deep.equal(['/file']);
  });

  it('are known only to operations that declare them', async () => {
    const problem = expectProblem(
      await post(`${server.url}/api/v1/general/rotate-pdf`, [file(handbook, 'handbook.pdf', 'file')]),
      400,
      'INPUT_FILE_MISSING',
    );
    expect(pointers(problem)).to.deep.equal(['/fileInput']);
  });

  it('are documented', async () => {
    const { paths } = json<{
      paths: Record<
        string,
        {
          post: {
            requestBody: {
              content: Record<
                string,
                { schema: { properties?: Record<string, { description?: string }>; $ref?: string } }
              >;
            };
          };
        }
      >;
    }>(await send(`${server.url}/v1/api-docs`));
    const text = JSON.stringify(paths['/api/v1/general/extract-bookmarks']);
    expect(text).to.contain('Alias of fileInput');
  });
});
