import { expect } from 'chai';
import { acceptedEncodings } from './accepted-encodings.js';

describe('acceptedEncodings', () => {
  it('prefers brotli to gzip', () => {
    expect(acceptedEncodings('gzip, deflate, br')).to.deep.equal(['br', 'gzip']);
    expect(acceptedEncodings('GZIP')).to.deep.equal(['gzip']);
    expect(acceptedEncodings('*')).to.deep.equal(['br', 'gzip']);
  });

  it('leaves out what has the weight 0', () => {
    expect(acceptedEncodings('br;q=0, gzip;q=0.5')).to.deep.equal(['gzip']);
    expect(acceptedEncodings('gzip, *;q=0')).to.deep.equal(['gzip']);
  });

  it('returns none without a header, and for one that is no list of encodings', () => {
    for (const header of [undefined, '', 'identity', 'gzip;q=x', ';;,,q=', 'compress'])
      expect(acceptedEncodings(header), header).to.deep.equal([]);
  });
});
