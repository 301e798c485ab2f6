import { expect } from 'chai';
import { deprecationFields } from './deprecation.js';

const versions = { since: '1.2.0', removeIn: '1.4.0' };

describe('the header fields of a deprecated operation', () => {
  it('contain the day in seconds of UTC, and the successor under the context path', () => {
    expect(deprecationFields({ ...versions, date: '2026-11-24', use: 'misc/repair' }, '/quire')).to.deep.equal({
      deprecation: '@1795478400',
      link: '</quire/api/v1/misc/repair>; rel="successor-version"',
    });
  });

  it('are absent if the declaration has neither', () => {
    expect(deprecationFields(versions, '')).to.deep.equal({});
  });
});
