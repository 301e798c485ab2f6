import { InputError, type SettingsReader } from '@quire/registry';
import { expect } from 'chai';
import { webRules } from './web-rules.js';

const defaults: Readonly<Record<string, unknown>> = {
  enabled: true,
  level: 'MEDIUM',
  allowedDomains: [],
  blockedDomains: [],
  internalTlds: ['.local', '.internal', '.corp', '.home'],
  blockPrivateNetworks: true,
  blockLocalhost: true,
  blockLinkLocal: true,
  blockCloudMetadata: true,
};

function rules(changed: Readonly<Record<string, unknown>> = {}, allowed: readonly string[] = []) {
  const values = new Map<string, unknown>([
    ['outbound.allowed', allowed],
    ...Object.entries({ ...defaults, ...changed }).map(([key, value]): [string, unknown] => [
      `system.html.urlSecurity.${key}`,
      value,
    ]),
  ]);
  return webRules({ get: <T>(path: string) => values.get(path) as T } satisfies SettingsReader);
}

/** The hosts that are refused as they are written. */
function refused(made: ReturnType<typeof rules>, ...hosts: readonly string[]): string[] {
  return hosts.filter((host) => {
    try {
      made.check(`http://${host}/`, 'urlInput');
      return false;
    } catch (error) {
      expect(error).to.be.instanceOf(InputError).with.property('code', 'ADDRESS_REFUSED');
      return true;
    }
  });
}

const OFF = { enabled: false };
const METADATA = ['169.254.169.254', '[fd00:ec2::254]', '100.100.100.200', '168.63.129.16', 'metadata.google.internal'];
const INNER = ['127.0.0.1', '[::1]', 'localhost', '10.1.2.3', '192.168.0.1', '169.254.7.7', '[fe80::1]', 'wiki.corp'];

describe('The rules for web pages', () => {
  it('are those of the public internet as shipped', () => {
    expect(refused(rules(), 'example.org', '8.8.8.8', ...INNER, ...METADATA)).to.deep.equal([...INNER, ...METADATA]);
    expect(rules().mayConnect('example.org', '10.1.2.3')).to.equal(false);
    expect(rules().opened).to.equal(false);
  });

  it('refuse listed hosts and those below them, and endings, unless outbound.allowed lists the name', () => {
    const made = rules({ blockedDomains: ['Evil.example.'], internalTlds: ['.acme', 'lan2'] }, ['portal.acme']);
    const hosts = [
      'evil.example',
      'a.b.evil.example',
      'notevil.example',
      'x.acme',
      'portal.acme',
      'y.lan2',
      'lan2x.org',
    ];
    expect(refused(made, ...hosts)).to.deep.equal(['evil.example', 'a.b.evil.example', 'x.acme', 'y.lan2']);
  });

  it('allow only listed hosts: with subdomains at MEDIUM, exactly those at MAX', () => {
    const hosts = ['example.org', 'www.example.org', 'example.org.evil.net', 'other.net', '8.8.8.8'];
    expect(refused(rules({ allowedDomains: ['example.org'] }), ...hosts)).to.deep.equal(hosts.slice(2));
    const max = rules({ level: 'MAX', allowedDomains: ['example.org'] });
    expect(refused(max, ...hosts)).to.deep.equal(hosts.slice(1));
    expect(max.mayConnect('example.org', '127.0.0.1'), 'a listed name that leads inside').to.equal(false);
    expect(refused(rules({ level: 'MAX' }), ...hosts)).to.deep.equal(hosts);
  });

  it('open a network only when every switch that blocks it is off', () => {
    const hosts = ['127.0.0.1', '10.1.2.3', '169.254.7.7', '[fe80::1]'];
    expect(refused(rules({ blockLocalhost: false, blockLinkLocal: false }), ...hosts)).to.deep.equal(hosts);
    expect(refused(rules({ blockPrivateNetworks: false }), ...hosts)).to.deep.equal(['127.0.0.1', ...hosts.slice(2)]);
    const open = rules({ blockPrivateNetworks: false, blockLocalhost: false });
    expect(refused(open, ...hosts, 'wiki.corp', 'wiki.intranet')).to.deep.equal([...hosts.slice(2), 'wiki.corp']);
    expect(open.opened).to.equal(true);
  });

  for (const [name, off] of Object.entries({ enabled: OFF, level: { level: 'OFF' } }))
    it(`open private networks when ${name} switches them off, but never metadata services`, () => {
      const made = rules({ ...off, blockedDomains: ['example.org'] });
      expect(refused(made, 'example.org', ...INNER, ...METADATA)).to.deep.equal(METADATA);
      expect(made.mayConnect('rebound.example', '169.254.169.254')).to.equal(false);
      expect(made.mayConnect('rebound.example', '::ffff:169.254.169.254')).to.equal(false);
      expect(refused(made, '0.0.0.0', '224.0.0.1', '[::ffff:127.0.0.1]')).to.have.length(3);
    });

  it('keep metadata services shut where outbound.allowed lists them, until their own switch is off too', () => {
    const listed = ['169.254.0.0/16', 'metadata.google.internal'];
    expect(refused(rules({}, listed), '169.254.7.7', '169.254.169.254', 'metadata.google.internal')).to.deep.equal([
      '169.254.169.254',
      'metadata.google.internal',
    ]);
    expect(refused(rules({ blockCloudMetadata: false }), ...METADATA)).to.include('169.254.169.254');
    expect(refused(rules({ blockCloudMetadata: false }, listed), '169.254.169.254')).to.deep.equal([]);
  });
});
