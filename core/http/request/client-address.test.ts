import { expect } from 'chai';
import { clientAddressFrom } from './client-address.js';

describe('the address of a client', () => {
  const behind = (...proxies: string[]) => clientAddressFrom(proxies, 'settings.yml:1');

  it('is that of the connection, whatever X-Forwarded-For says, while no proxy is trusted', () => {
    expect(behind()('203.0.113.5', '192.0.2.1')).to.equal('203.0.113.5');
    expect(behind('10.0.0.0/8')('203.0.113.5', '192.0.2.1')).to.equal('203.0.113.5');
    expect(behind()('::ffff:203.0.113.5', undefined)).to.equal('203.0.113.5');
  });

  it('is the last one that is not a trusted proxy', () => {
    const address = behind('10.0.0.0/8', '2001:db8::/32', '127.0.0.1');
    expect(address('10.1.2.3', '192.0.2.1')).to.equal('192.0.2.1');
    expect(address('::ffff:10.1.2.3', '198.51.100.7, 192.0.2.1, 10.9.9.9')).to.equal('192.0.2.1');
    expect(address('2001:db8::1', '192.0.2.1:4711, [2001:db8::2]:443')).to.equal('192.0.2.1');
    expect(address('127.0.0.1', '10.0.0.1')).to.equal('10.0.0.1');
    expect(address('127.0.0.1', undefined)).to.equal('127.0.0.1');
  });

  it('is never text that is not an address', () => {
    for (const forwarded of ['', 'unknown', 'evil, ', '192.0.2.1, _hidden', '<script>', '999.1.1.1'])
      expect(behind('127.0.0.1')('127.0.0.1', forwarded), forwarded).to.equal('127.0.0.1');
  });

  it('rejects settings that are not addresses', () => {
    for (const entry of ['', 'proxy.local', '10.0.0.0/33', '10.0.0.0/x', '10.0.0.0/8/8', '::1/129'])
      expect(() => behind(entry), entry).to.throw('server.trustedProxies');
  });
});
