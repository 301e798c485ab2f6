import { isQuireError, type QuireError } from '@quire/registry';
import { expect } from 'chai';
import { relyingParties } from './relying-party.js';

interface Written {
  readonly rpId?: string;
  readonly frontendUrl?: string;
  readonly backendUrl?: string;
  readonly cors?: readonly string[];
}

const partyOf = ({ rpId = '', frontendUrl = '', backendUrl = '', cors = [] }: Written) => {
  const values: Readonly<Record<string, unknown>> = {
    'security.passkeys.rpId': rpId,
    'system.frontendUrl': frontendUrl,
    'system.backendUrl': backendUrl,
    'system.corsAllowedOrigins': cors,
  };
  const settings = { get: (key: string) => values[key], origin: () => 'the default' };
  return relyingParties(settings as unknown as Parameters<typeof relyingParties>[0]);
};
const site = (url: string, believed = true) => ({ url, believed });
const refusal = (work: () => unknown): QuireError => {
  try {
    work();
  } catch (error) {
    if (isQuireError(error)) return error;
    throw error;
  }
  return expect.fail('nothing was refused');
};

describe('The site that passkeys are for', () => {
  it('is the public address in the settings, whatever address a call came to', () => {
    for (const reached of [undefined, site('http://localhost:8080'), site('https://evil.example.net'), site('x')])
      expect(
        partyOf({ frontendUrl: 'https://PDF.Example.org/tools', backendUrl: 'https://api.example.org' })(reached),
      ).to.deep.equal({ id: 'pdf.example.org', origins: ['https://pdf.example.org'] });
    expect(partyOf({ backendUrl: 'https://api.example.org:8443/' })(undefined)).to.deep.equal({
      id: 'api.example.org',
      origins: ['https://api.example.org:8443', 'https://api.example.org'],
    });
    expect(partyOf({ frontendUrl: 'http://localhost:3000' })(undefined)).to.deep.equal({
      id: 'localhost',
      origins: ['http://localhost:3000'],
    });
  });

  it('may be a domain above it, whose pages on other hosts are named in the settings', () => {
    const party = partyOf({
      rpId: ' Example.ORG ',
      frontendUrl: 'https://pdf.example.org',
      backendUrl: 'http://api.example.org',
      cors: [
        'https://app.example.org:444',
        'https://app.example.net',
        'https://*.example.org',
        'https://badexample.org',
      ],
    });
    const origins = ['https://pdf.example.org', 'https://app.example.org:444', 'https://example.org'];
    expect(party(undefined)).to.deep.equal({ id: 'example.org', origins });
    expect(party(site('https://intern.example.org:8443/x')).origins).to.deep.equal([
      'https://pdf.example.org',
      'https://app.example.org:444',
      'https://intern.example.org:8443',
      'https://example.org',
    ]);
    for (const other of [
      site('https://intern.example.org', false),
      site('http://intern.example.org'),
      site('https://badexample.org'),
      site('https://example.org.evil.net'),
    ])
      expect(party(other).origins, other.url).to.deep.equal(origins);
  });

  it('is the address of the call without a setting, if that is trusted and browsers offer passkeys there', () => {
    const party = partyOf({});
    expect(party(site('http://localhost:8080/tools'))).to.deep.equal({
      id: 'localhost',
      origins: ['http://localhost:8080'],
    });
    expect(party(site('https://pdf.intern:8443'))).to.deep.equal({
      id: 'pdf.intern',
      origins: ['https://pdf.intern:8443', 'https://pdf.intern'],
    });
    for (const [reached, advice] of [
      [undefined, 'system.frontendUrl'],
      [site('https://pdf.example.org', false), 'system.frontendUrl'],
      [site('/tools'), 'system.frontendUrl'],
      [site('http://127.0.0.1:8080'), 'localhost'],
      [site('https://192.0.2.1'), 'by a name'],
      [site('https://[2001:db8::1]'), 'by a name'],
      [site('http://pdf.example.org'), 'https'],
    ] as const) {
      const { code, message } = refusal(() => party(reached));
      expect(code).to.equal('PASSKEYS_UNUSABLE');
      expect(message, String(reached?.url)).to.contain(advice);
    }
  });

  it('cannot be used when the settings name an address where browsers offer no passkeys', () => {
    for (const frontendUrl of ['http://pdf.example.org', 'https://192.0.2.1', 'http://127.0.0.1:8080'])
      expect(refusal(() => partyOf({ frontendUrl })(site('http://localhost:8080'))).message).to.contain(
        'system.frontendUrl',
      );
  });

  it('is refused at the start when it is no domain, or not that of the public address', () => {
    for (const rpId of ['https://example.org', 'example.org:443', '192.0.2.1', '::1', '*.example.org', 'a..b', 'x y'])
      expect(refusal(() => partyOf({ rpId })).message, rpId)
        .to.contain('security.passkeys.rpId')
        .and.contain('domain');
    for (const rpId of ['example.net', 'app.pdf.example.org', 'ample.org']) {
      const { code, message } = refusal(() => partyOf({ rpId, frontendUrl: 'https://pdf.example.org' }));
      expect(code).to.equal('SETTINGS_INVALID');
      expect(message, rpId).to.contain('pdf.example.org');
    }
  });
});
