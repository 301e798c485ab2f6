import { expect } from 'chai';
import { InputError } from '@quire/registry';
import { isPublicAddress } from './addresses.js';
import { guardedRules, targetRules } from './target-rules.js';

/** One address of each network that reliability's table S2 names, and of a few that wrap others. */
const INNER = [
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '0.1.2.3',
  '10.1.2.3',
  '100.64.0.1',
  '100.127.255.255',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fec0::1',
  'ff02::1',
];
const OUTER = [
  '8.8.8.8',
  '1.1.1.1',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.255.255',
  '172.32.0.1',
  '192.0.1.1',
  '198.17.255.255',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450::1',
];

function refusal(text: string, allowed: readonly string[] = []): string | undefined {
  try {
    targetRules(allowed).check(text, 'url');
    return undefined;
  } catch (error) {
    expect(error).to.be.instanceOf(InputError).and.to.have.property('code', 'ADDRESS_REFUSED');
    return (error as Error).message;
  }
}

describe('addresses that may be called', () => {
  for (const address of INNER) {
    it(`are not ${address}, bare or in a URL`, () => {
      expect(isPublicAddress(address)).to.equal(false);
      expect(refusal(`http://${address.includes(':') ? `[${address}]` : address}/`)).to.contain(
        'is not on the public internet',
      );
    });
  }

  it('are those of the public internet', () => {
    for (const address of OUTER) {
      expect(isPublicAddress(address), address).to.equal(true);
      expect(refusal(`https://${address.includes(':') ? `[${address}]` : address}:8443/x`), address).to.equal(
        undefined,
      );
    }
    expect(refusal('http://timestamp.example.com/tsr?a=b')).to.equal(undefined);
  });

  for (const text of [
    'http://127.1/',
    'http://0x7f.1/',
    'http://2130706433/',
    'http://017700000001/',
    'HTTP://LOCALHOST/',
    'http://localhost./',
    'http://a.localhost/',
    'http://printer.local/',
    'http://db.internal/',
    'http://x.corp/',
    'http://nas.home/',
    'http://metadata.google.internal/',
    'http://metadata/',
    'http://①②⑦.0.0.1/',
    'http://127。0。0。1/',
    'http://[::ffff:7f00:1]/',
    'http://0/',
  ]) {
    it(`are not spelt ${text}`, () => {
      expect(refusal(text)).to.contain('is not on the public internet');
    });
  }

  for (const [text, why] of [
    ['http://user@example.com/', 'user name or password'],
    ['http://user:pw@example.com/', 'user name or password'],
    ['file:///etc/passwd', 'its scheme is file'],
    ['gopher://example.com/', 'its scheme is gopher'],
    ['ftp://example.com/', 'its scheme is ftp'],
    ['jar:http://example.com/!/', 'its scheme is jar'],
    ['data:text/html,x', 'its scheme is data'],
    ['\\\\host\\share', 'backslashes'],
    ['http:\\\\example.com', 'backslashes'],
    ['http://exa mple.com/', 'blanks'],
    ['http://example.com/\n', 'blanks'],
    ['//example.com/', 'not an absolute URL'],
    ['', 'not an absolute URL'],
    ['example.com', 'not an absolute URL'],
  ] as const) {
    it(`are not ${JSON.stringify(text)}, and the answer says why`, () => {
      expect(refusal(text)).to.contain(why);
      expect(refusal(text)).to.contain('"url"');
    });
  }

  it('are hosts and networks of the operator as well, where they are listed, and no others', () => {
    const allowed = ['10.2.0.0/16', 'TSA.corp', 'localhost', 'fd00::/8', ' 192.168.1.5 '];
    for (const text of [
      'http://10.2.255.1/',
      'https://tsa.corp/x',
      'http://localhost:8080/',
      'http://[fd12::1]/',
      'http://192.168.1.5/',
    ])
      expect(refusal(text, allowed), text).to.equal(undefined);
    for (const text of [
      'http://10.3.0.1/',
      'https://other.corp/',
      'http://127.0.0.1/',
      'http://192.168.1.6/',
      'http://[fe80::1]/',
    ])
      expect(refusal(text, allowed), text).to.be.a('string');
    expect(targetRules(allowed).mayConnect('tsa.corp', '127.0.0.1'), 'a listed name may lead anywhere').to.equal(true);
    expect(
      targetRules(allowed).mayConnect('tsa.example', '10.2.0.9'),
      'any name may lead to a listed network',
    ).to.equal(true);
    expect(targetRules(allowed).mayConnect('tsa.example', '10.3.0.9')).to.equal(false);
  });

  it(
    "are this host and private networks as well where a call may, but never a cloud's metadata service or what " +
      'is not a private network',
    () => {
      const check = (text: string, allowed: readonly string[] = []): boolean => {
        try {
          guardedRules(allowed, true).check(text, 'url');
          return true;
        } catch (error) {
          expect(error).to.have.property('code', 'ADDRESS_REFUSED');
          return false;
        }
      };
      for (const text of [
        'http://127.0.0.1/',
        'http://localhost:8080/',
        'http://10.1.2.3/',
        'http://172.31.0.1/',
        'http://192.168.0.9/',
        'http://100.64.0.1/',
        'http://169.254.7.7/',
        'http://[::1]/',
        'http://[fd12::1]/',
        'http://[fe80::1]/',
        'http://db.internal/',
        'http://nas.local/',
        'https://8.8.8.8/',
      ])
        expect(check(text), text).to.equal(true);
      const all = ['169.254.0.0/16', 'metadata.google.internal', 'fd00::/8', '::/0', '0.0.0.0/0'];
      for (const text of [
        'http://169.254.169.254/latest',
        'http://169.254.170.2/',
        'http://100.100.100.200/',
        'http://[fd00:ec2::254]/',
        'http://[::ffff:169.254.169.254]/',
        'http://metadata/',
        'http://metadata.google.internal/',
        'http://METADATA.google.internal./',
        'http://2852039166/',
      ]) {
        expect(check(text), text).to.equal(false);
        expect(check(text, all), `${text}, listed`).to.equal(false);
      }
      for (const text of [
        'http://0.0.0.0/',
        'http://224.0.0.1/',
        'http://240.0.0.1/',
        'http://[::]/',
        'http://[::ffff:10.0.0.1]/',
        'http://[64:ff9b::a00:1]/',
        'http://[ff02::1]/',
        'http://192.0.2.1/',
        'http://user:pw@localhost/',
        'file:///etc/passwd',
      ])
        expect(check(text), text).to.equal(false);
      const rules = guardedRules([], true);
      expect([
        rules.mayConnect('x.example', '10.0.0.1'),
        rules.mayConnect('x.example', '169.254.169.254'),
        rules.mayConnect('metadata.google.internal', '8.8.8.8'),
        rules.mayConnect('x.example', '::ffff:10.0.0.1'),
      ]).to.deep.equal([true, false, false, false]);
    },
  );

  it(
    'are the public internet and what is listed, but no listed metadata service, where a call says that it stays ' +
      'there',
    () => {
      const rules = guardedRules(
        ['169.254.0.0/16', '10.0.0.0/8', 'metadata.google.internal', 'metadata', 'db.corp'],
        false,
      );
      for (const text of ['http://10.0.0.1/', 'http://db.corp/', 'https://8.8.8.8/', 'http://169.254.7.7/'])
        expect(() => rules.check(text, 'url'), text).not.to.throw();
      for (const text of [
        'http://169.254.169.254/',
        'http://metadata.google.internal/',
        'http://metadata/',
        'http://127.0.0.1/',
        'http://192.168.0.1/',
        'http://localhost/',
      ])
        expect(() => rules.check(text, 'url'), text)
          .to.throw()
          .with.property('code', 'ADDRESS_REFUSED');
      expect([
        rules.mayConnect('x.example', '169.254.169.254'),
        rules.mayConnect('x.example', '10.0.0.1'),
        rules.mayConnect('x.example', '192.168.0.1'),
      ]).to.deep.equal([false, true, false]);
    },
  );
});
