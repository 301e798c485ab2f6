import type { Request } from '@hapi/hapi';
import { expect } from 'chai';
import { captureAnswer, captureFiles, digestsFor } from './audit-captures.js';

describe('data that the audit log captures of a call', () => {
  // A request with only the members that are used.
  const request = (): Request => ({ app: {} }) as unknown as Request;
  const files = {
    fileInput: [
      { path: '/a', size: 3 },
      { path: '/b', size: 4 },
    ],
  };
  const off = { fileHash: false, results: false };

  it('is empty, and no digest is computed, while capturing is off', () => {
    const one = request();
    expect([digestsFor(undefined, undefined), digestsFor(off, undefined)]).to.deep.equal([undefined, undefined]);
    captureFiles(one, off, files, new Map([['/a', 'x']]));
    captureAnswer(one, off, { json: { secret: 1 } });
    captureAnswer(one, undefined, { json: { secret: 1 } });
    expect(one.app.captured).to.equal(undefined);
  });

  it('contains digest and size of each upload, also if an Idempotency-Key needs the digests', () => {
    const on = { fileHash: true, results: false };
    const [one, kept] = [
      request(),
      new Map([
        ['/a', 'aa'],
        ['/b', 'bb'],
      ]),
    ];
    expect([digestsFor(on, kept) === kept, digestsFor(on, undefined)]).to.deep.equal([true, new Map()]);
    captureFiles(one, on, files, kept);
    expect(one.app.captured).to.deep.equal({
      files: [
        { sha256: 'aa', size: 3 },
        { sha256: 'bb', size: 4 },
      ],
    });
    captureFiles(one, on, { many: Array.from({ length: 500 }, () => ({ path: '/a', size: 3 })) }, kept);
    expect(one.app.captured?.files, 'bounded').to.have.length(100);
  });

  it('contains a JSON answer up to a length, or type and size of a file', () => {
    const on = { fileHash: false, results: true };
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
