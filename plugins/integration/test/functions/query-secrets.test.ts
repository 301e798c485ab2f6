import { expect } from 'chai';
import { keepSecrets, maskSecrets, secretTexts } from '../../src/functions/connection-secrets.js';
import { keepQuery, maskQuery, querySecrets } from '../../src/functions/query-secrets.js';

const M = '********';

describe('secrets in addresses', () => {
  it('are all values of the query and the fragment; nothing before them is changed', () => {
    const cases = [
      ['/login', '/login'],
      ['https://a.example.com/x?', 'https://a.example.com/x?'],
      ['/login?key=abc&user=', `/login?key=${M}&user=`],
      ['?a=b?c=d&e', `?a=${M}&${M}`],
      ['https://a.example.com/x?a=1#frag', `https://a.example.com/x?a=${M}#${M}`],
      ['https://a.example.com/#?key=1', `https://a.example.com/#${M}`],
      ['/x?a=b=c', `/x?a=${M}`],
      ['', ''],
    ] as const;
    for (const [address, masked] of cases) {
      expect(maskQuery(address), address).to.equal(masked);
      expect(keepQuery(masked, address), `${address} sent back as it was read`).to.equal(address);
    }
  });

  it('stay where they come back masked at the same place, and stand for nothing elsewhere', () => {
    const stored = 'https://a.example.com/x?k=1&k=2&n=3#f';
    expect(keepQuery(`https://a.example.com/x?n=${M}&k=${M}&new=4&k=${M}`, stored)).to.equal(
      'https://a.example.com/x?n=3&k=1&new=4&k=2',
    );
    expect(keepQuery('https://b.example.com/x?k=5', stored)).to.equal('https://b.example.com/x?k=5');
    for (const lost of [
      `https://b.example.com/x?k=${M}`,
      `https://a.example.com/y?k=${M}`,
      `https://a.example.com/x?other=${M}`,
      `https://a.example.com/x?k=${M}&k=${M}&k=${M}`,
    ])
      expect(keepQuery(lost, stored), lost).to.equal(undefined);
    expect(keepQuery(`/x?k=${M}`, undefined)).to.equal(undefined);
  });

  it('are masked, kept and blotted out in every address of a connection', () => {
    const api = { baseUrl: 'https://a.example.com', loginPath: '/login?api=s%C3%A9cret+x' };
    expect(maskSecrets('API', api)).to.deep.equal({ ...api, loginPath: `/login?api=${M}` });
    expect(keepSecrets('API', maskSecrets('API', api), api)).to.deep.equal({ config: api, lost: [] });
    expect(keepSecrets('API', { ...api, loginPath: `/other?api=${M}` }, api).lost).to.deep.equal(['loginPath']);
    expect(secretTexts('API', api)).to.have.members(['s%C3%A9cret+x', 'sécret x']);
    expect(querySecrets('?a=%zz')).to.include('%zz');
    const mcp = {
      url: 'https://m.example.com/sse?key=one',
      servers: [
        { url: 'https://n.example.com/?key=two', token: 't' },
        { endpoint: 'https://n.example.com/?key=three' },
      ],
    };
    const seen = maskSecrets('MCP', mcp);
    expect(seen).to.deep.equal({
      url: `https://m.example.com/sse?key=${M}`,
      servers: [{ url: `https://n.example.com/?key=${M}`, token: M }, { endpoint: `https://n.example.com/?key=${M}` }],
    });
    expect(keepSecrets('MCP', seen, mcp)).to.deep.equal({ config: mcp, lost: [] });
    expect(keepSecrets('MCP', { servers: [(seen['servers'] as object[])[1] as never] }, mcp).config).to.deep.equal({
      servers: [mcp.servers[1]],
    });
  });
});
