import { expect } from 'chai';
import { deprecationFields } from './deprecation.js';

const versions = { since: '1.2.0', removeIn: '1.4.0' };

describe('The header fields of a deprecated operation', () => {
  it('have the day in seconds of UTC, and the successor below the server’s path', () => {
    expect(deprecationFields({ ...versions, date: '2026-11-24', use: 'misc/repair' }, '/quire')).to.deep.equal({
      deprecation: '@1795478400',
      link: '</quire/api/v1/misc/repair>; rel="successor-version"',
    });
  });

  it('are absent where the declaration has neither', () => {
    expect(deprecationFields(versions, '')).to.deep.equal({});
  });
});
