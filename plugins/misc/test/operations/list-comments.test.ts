import { readFile } from 'node:fs/promises';
import { callOperation, type OperationAnswer, serverForTests } from '@quire/plugin-kit';
import { expect } from 'chai';

interface Comment {
  readonly pageIndex: number;
  readonly type: string;
  readonly text: string;
  readonly author: string | null;
  readonly x: number;
  readonly width: number;
  readonly replyTo: number | null;
}

describe('list-comments over HTTP', function () {
  this.timeout(60_000);
  const server = serverForTests({ plugins: ['@quire/plugin-misc'] });
  const call = (path: string, bytes: Uint8Array, params: Record<string, unknown> = {}): Promise<OperationAnswer> =>
    callOperation(server.url, { path, files: [{ name: 'doc.pdf', bytes }], params });
  const listed = ({ bytes }: OperationAnswer): Comment[] => JSON.parse(Buffer.from(bytes).toString()) as Comment[];

  it('lists what add-comments wrote, where it wrote it', async () => {
    const input = new Uint8Array(await readFile(new URL('../../fixtures/picture.pdf', import.meta.url)));
    expect(listed(await call('misc/list-comments', input))).to.deep.equal([]);
    const comments = [
      { pageIndex: 0, x: 30, y: 40, width: 20, height: 20, text: 'Größe prüfen 😀', author: 'Ada', subject: 'Review' },
      { pageIndex: 0, x: 60, y: 40, width: 20, height: 20, text: 'Done' },
    ];
    const commented = await call('misc/add-comments', input, { comments: JSON.stringify(comments) });
    expect(commented.status).to.equal(200);
    const answer = await call('misc/list-comments', commented.bytes);
    expect(answer.headers.get('content-type')).to.contain('application/json');
    const found = listed(answer);
    expect(found.map(({ text, author, pageIndex }) => [text, author, pageIndex])).to.deep.equal([
      ['Größe prüfen 😀', 'Ada', 0],
      ['Done', found[1]?.author, 0],
    ]);
    expect(found[0]).to.include({ type: 'Text', x: 30, width: 20, replyTo: null });
  });

  it('refuses a damaged file', async () => {
    const answer = await call('misc/list-comments', Buffer.from('%PDF-1.7\nnothing more'));
    expect(answer.status).to.equal(400);
    expect(JSON.parse(Buffer.from(answer.bytes).toString())).to.include({ code: 'PDF_DAMAGED' });
  });
});
