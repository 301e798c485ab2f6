import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { API_VERSION, type Plugin } from '@quire/registry';
import { makePdf } from './make-pdf.js';
import { collectConformance } from './collect-conformance.js';
import type { Section } from './describe-plugin.js';

const source = fileURLToPath(new URL('bad-plugins', import.meta.url));
const nodeModules = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** The section that must report each bad plugin, and the expected words. */
const faults: Readonly<Record<string, readonly [Section, RegExp]>> = {
  'unbounded-api': ['Package', /no upper bound/],
  'future-api': ['Package', new RegExp(`${API_VERSION.replaceAll('.', '\\.')} in quire\\.api`)],
  'own-joi': ['Package', /joi/],
  'install-script': ['Package', /postinstall/],
  'missing-peer': ['Package', /@quire\/registry/],
  'foreign-prefix': ['Package', /misc\/copy-pdf begins with/],
  'unpacked-entry': ['Package', /index\.mjs/],
  'wrong-name': ['Package', /name/],
  'missing-description': ['Declaration', /quality has no description/],
  'default-outside-schema': ['Declaration', /default of quality/],
  'reserved-field': ['Declaration', /fileInput/],
  'unknown-code': ['Declaration', /PDF_TOO_BORING/],
  'duplicate-example': ['Declaration', /twice/],
  'conditional-field': ['Declaration', /reason/],
  'missing-fixture': ['Declaration', /nowhere\.pdf/],
  'long-summary': ['Declaration', /summary/],
  'hidden-example-field': ['Declaration', /sends quality, which is shown only when \{"careful":true\}/],
  'long-label': ['Declaration', /the label "How carefully.*has \d+ characters/],
  'unknown-widget': ['Declaration', /widget of the field quality is "slider"; allowed are text, multiline/],
  'missing-element': ['Declaration', /elements\/acme-dial\.js/],
  'unknown-translation': ['Declaration', /texts\/de\.json translates "Qualty", which no operation shows/],
  'template-unknown-operation': [
    'Declaration',
    /template copies: the plugin has no operation "misc\/copy-pfd"; did you mean "misc\/copy-pdf"\?/,
  ],
  'template-unknown-field': [
    'Declaration',
    /template copies: misc\/copy-pdf has no field "password" to ask for; it has quality.*template copies: misc\/copy-pdf: "qualty"/s,
  ],
  'misnamed-file': ['Declaration', /duplicate-pdf\.op/],
  'undeclared-error': ['Purity', /PAGES_INVALID, which it does not declare/],
  'wrong-kind': ['Purity', /first bytes/],
  'mutates-input': ['Purity', /inputs that were changed/],
  'writes-input-file': ['Purity', /inputs that were changed/],
  'changes-params': ['Purity', /read only|frozen|Cannot assign/],
  'uses-network': ['Purity', /opened a connection/],
  'undeclared-service': ['Purity', /CONTRACT_BROKEN|server made an error|undeclared/],
  'undeclared-writing': ['Declaration', /without declaring writes/],
  'keeps-revisions': ['Writing', /earlier revision/],
  'always-appends': ['Writing', /where it must not append.*earlier revision/s],
  'never-appends': ['Writing', /begins with the bytes of its input/],
  'narrowed-schema': ['Compatibility', /maximum is now 4, before 9/],
  'timer-at-import': ['Import', /Timeout/],
  'global-at-import': ['Import', /copyQuality/],
  'file-at-import': ['Import', /restricted|ERR_ACCESS_DENIED/],
  'network-at-import': ['Import', /network/],
  'listener-at-import': ['Import', /uncaughtException/],
  'wrong-page-count': ['Run', /answered 500/],
  'lies-in-json': [
    'Run',
    /misc\/copy-pdf does not answer as declared:\n- \/pages\/0\/width must be a number, found "612"\n- \/title is required, found nothing\n- \/quality is not allowed, found 3/,
  ],
  'wrong-name-promised': ['Run', /names/],
  'crashes-on-damage': ['Refusal', /500/],
  'hangs-on-damage': ['Refusal', /timeout|aborted/i],
  'crashes-on-odd-value': ['Parameters', /labels=.*INTERNAL/s],
  'unnamed-field': ['Parameters', /quality="-1"/],
};

describe('the conformance kit', () => {
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quire-bad-plugins-'));
    symlinkSync(nodeModules, join(folder, 'node_modules'));
    const fixture = await makePdf({ pages: 2, text: 'two-pages' });
    for (const name of [...Object.keys(faults), 'base']) {
      cpSync(join(source, 'base'), join(folder, name), { recursive: true });
      cpSync(join(source, name), join(folder, name), { recursive: true });
      mkdirSync(join(folder, name, 'fixtures'));
      writeFileSync(join(folder, name, 'fixtures', 'two-pages.pdf'), fixture);
    }
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  async function run(name: string, only?: readonly Section[]): Promise<string[]> {
    const root = join(folder, name);
    // Side effects of the import must happen in the kit's own process, not here.
    const plugin = await importPlugin(only?.includes('Import') === true ? join(folder, 'base') : root);
    return collectConformance(plugin, root, only);
  }

  async function importPlugin(root: string): Promise<Plugin> {
    const entry = ['index.mjs', 'index.js'].map((file) => join(root, file)).find((file) => existsSync(file)) ?? '';
    const module = (await import(pathToFileURL(entry).href)) as { default: Plugin };
    return module.default;
  }

  it('covers every bad plugin in the folder', () => {
    const there = readdirSync(source)
      .filter((name) => name !== 'base')
      .sort();
    expect(Object.keys(faults).sort()).to.deep.equal(there);
  });

  it('passes a correct plugin in every section', async function () {
    this.timeout(120_000);
    const found = await run('base');
    expect(found, found.join('\n')).to.deep.equal([]);
  });

  for (const [name, [section, words]] of Object.entries(faults)) {
    it(`reports ${name} in ${section}`, async function () {
      this.timeout(120_000);
      const found = await run(name, [section]);
      expect(found, `faults found in ${section}`).not.to.have.length(0);
      expect(found.join('\n')).to.match(words);
    });
  }
});
