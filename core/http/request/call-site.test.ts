import { expect } from 'chai';
import type { Settings } from '../../settings/index.js';
import { callSite, type ReachedAt } from './call-site.js';
import { inviteMail, publicAddress } from '../../accounts/endpoints/account-mails.js';

describe('the site that a call came to', () => {
  const settingsWith = (set: Readonly<Record<string, unknown>> = {}): Settings => {
    const all: Readonly<Record<string, unknown>> = {
      'system.rootUriPath': '/tools',
      'system.corsAllowedOrigins': [],
      'system.frontendUrl': '',
      'system.backendUrl': '',
      'server.host': '',
      'server.port': 8080,
      'ui.appNameNavbar': '',
      ...set,
    };
    // Only the settings that the code under test reads.
    return { get: (path: string) => all[path] } as unknown as Settings;
  };
  const at = (more: Partial<ReachedAt>, set?: Readonly<Record<string, unknown>>) =>
    callSite(
      {
        host: 'pdf.local',
        forwardedProto: undefined,
        viaProxy: false,
        localAddress: '192.168.1.5',
        localPort: 8080,
        ...more,
      },
      settingsWith(set),
    );

  it('is read from the Host header of a trusted proxy, with the forwarded scheme', () => {
    expect(at({ viaProxy: true, forwardedProto: 'https' })).to.deep.equal({
      url: 'https://pdf.local/tools',
      believed: true,
    });
    expect(at({ viaProxy: true })).to.deep.equal({ url: 'http://pdf.local/tools', believed: true });
    expect(at({ forwardedProto: 'https' }), 'a stranger may write what they like').to.deep.equal({
      url: 'http://pdf.local/tools',
      believed: false,
    });
  });

  it('is accepted if it is our own address or a site that the operator allowed', () => {
    expect(at({ host: '192.168.1.5:8080' }).believed).to.equal(true);
    expect(at({ host: '192.168.1.5:8080', localAddress: '::ffff:192.168.1.5' }).believed).to.equal(true);
    expect(at({ host: '[2001:db8::1]:8080', localAddress: '2001:db8::1' }).believed).to.equal(true);
    expect(at({ host: 'localhost:8080', localAddress: '127.0.0.1' }).believed).to.equal(true);
    expect(at({ host: 'pdf.local:8080' }, { 'server.host': 'pdf.local' }).believed).to.equal(true);
    expect(
      at({ host: 'PDF.example' }, { 'system.corsAllowedOrigins': ['*', 'https://pdf.example'] }),
      'and has its scheme',
    ).to.deep.equal({ url: 'https://pdf.example/tools', believed: true });
    for (const host of [
      '192.168.1.5:9999',
      '192.168.1.5',
      'localhost:8080',
      'evil.example:8080',
      '192.168.1.5.evil.example:8080',
    ])
      expect(at({ host }, { 'system.corsAllowedOrigins': ['*'] }).believed, host).to.equal(false);
  });

  it('is this server if the Host header is not valid', () => {
    for (const host of [undefined, '', 'a b', 'user@evil.example', 'evil.example/x', 'a:b:c'])
      expect(at({ host, viaProxy: true }), host).to.deep.equal({ url: 'http://localhost:8080/tools', believed: false });
  });

  it('is overridden by the settings, and is left out of mails if it is not trusted', async () => {
    const site = at({ host: 'evil.example' });
    expect(publicAddress(settingsWith(), undefined, site)).to.equal(site);
    expect(publicAddress(settingsWith({ 'system.backendUrl': 'https://b.example/' }), undefined, site)).to.deep.equal({
      url: 'https://b.example',
      believed: true,
    });
    expect(
      publicAddress(settingsWith({ 'system.backendUrl': 'https://b.example/' }), 'https://g.example', site).url,
    ).to.equal('https://g.example');
    expect(
      publicAddress(settingsWith({ 'system.frontendUrl': 'https://f.example' }), 'https://g.example', site).url,
    ).to.equal('https://f.example');
    const textOf = async (place: Parameters<typeof inviteMail>[1]): Promise<string | undefined> =>
      (await inviteMail('ann@example.org', place, new Date(0), { settings: settingsWith(), hints: {} })).text;
    expect(await textOf({ path: '/tools/invite/abc' }))
      .to.contain('\n\n/tools/invite/abc\n\n')
      .and.not.contain('://');
    expect(await textOf({ url: 'https://f.example/invite/abc' })).to.contain('\n\nhttps://f.example/invite/abc\n\n');
  });
});
