import type { Request } from '@hapi/hapi';
import { expect } from 'chai';
import { captureAnswer, captureFiles, digestsFor } from './audit-captures.js';

describe('data that the audit log captures of a call', () => {
  // A request with only the members that are used.
  const request = (): Request => ({ app: {} }) as unknown as Request;
  const files = {
    fileInput: [
      { name: 'a.pdf', kind: 'pdf' as const, path: '/a', size: 3 },
      { name: 'b.txt', kind: 'txt' as const, path: '/b', size: 4 },
    ],
  };
  const off = { fileHash: false, results: false, pdfAuthor: false };
  const unread = (): Promise<never> => Promise.reject(new Error('authors were read'));

  it('is empty, and no digest is computed, while capturing is off', async () => {
    const one = request();
    expect([digestsFor(undefined, undefined), digestsFor(off, undefined)]).to.deep.equal([undefined, undefined]);
    await captureFiles(one, off, files, { digests: new Map([['/a', 'x']]), authorsOf: unread });
    captureAnswer(one, off, { json: { secret: 1 } });
    captureAnswer(one, undefined, { json: { secret: 1 } });
    expect(one.app.captured).to.equal(undefined);
  });

  it('contains digest and size of each upload, also if an Idempotency-Key needs the digests', async () => {
    const on = { ...off, fileHash: true };
    const [one, kept] = [
      request(),
      new Map([
        ['/a', 'aa'],
        ['/b', 'bb'],
      ]),
    ];
    expect([digestsFor(on, kept) === kept, digestsFor(on, undefined)]).to.deep.equal([true, new Map()]);
    await captureFiles(one, on, files, { digests: kept, authorsOf: unread });
    expect(one.app.captured).to.deep.equal({
      files: [
        { sha256: 'aa', size: 3 },
        { sha256: 'bb', size: 4 },
      ],
    });
    const many = Array.from({ length: 500 }, () => files.fileInput[0]!);
    await captureFiles(one, on, { many }, { digests: kept, authorsOf: unread });
    expect(one.app.captured?.files, 'bounded').to.have.length(100);
  });

  it('contains the author that each PDF names, up to a length, and no digest that was not asked for', async () => {
    const on = { ...off, pdfAuthor: true };
    const asked: number[] = [];
    const captured = async (authors: readonly (string | null)[], sent: Parameters<typeof captureFiles>[2] = files) => {
      const one = request();
      const authorsOf = (all: readonly unknown[]) => Promise.resolve((asked.push(all.length), authors));
      await captureFiles(one, on, sent, { digests: new Map([['/a', 'aa']]), authorsOf });
      return one.app.captured?.files;
    };
    expect(await captured(['Ada', null])).to.deep.equal([{ size: 3, author: 'Ada' }]);
    expect((await captured(['x'.repeat(5000), null]))?.[0]?.author).to.have.length(201);
    expect(await captured([null, null])).to.equal(undefined);
    expect(await captured([], { fileInput: files.fileInput.slice(1) }), 'nothing to read').to.equal(undefined);
    expect(asked).to.deep.equal([2, 2, 2]);
  });

  it('contains a JSON answer up to a length, or type and size of a file', () => {
    const on = { ...off, results: true };
    const result = (answer: Parameters<typeof captureAnswer>[2]): string | undefined => {
      const one = request();
      captureAnswer(one, on, answer);
      return one.app.captured?.result;
    };
    expect([
      result({ json: { pages: 2 } }),
      result({ text: 'yes' }),
      result({}),
      result({ file: { name: 'secret.pdf', mediaType: 'application/pdf', size: 7 } }),
    ]).to.deep.equal(['{"pages":2}', 'yes', undefined, 'application/pdf, 7 bytes']);
    expect(result({ json: 'x'.repeat(1e6) })?.length).to.equal(4001);
  });
});
