import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { errorRow, type ErrorCode } from '@quire/registry';
import { connectorTexts } from '../../tools/connector-texts.js';
import { loadWorkspacePlugins, type WorkspacePlugin } from '../../tools/load-workspace-plugins.js';
import { mailTexts } from '../../tools/mail-texts.js';
import { LANGUAGES, toolTexts, translationsIn, type PackageTexts } from '../../tools/tool-texts.js';
import { catalogueOf, OTHERS, typeset, usedTexts, type Text } from '../../console/build/find-texts.js';

const used = usedTexts();
const places = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();
const formsOf = (text: Text): string[] => (typeof text === 'string' ? [text] : Object.values(text));

describe('The texts of the console', () => {
  it('are found in the sources, in every area', () => {
    expect([...used.keys()]).to.include.members(['i18n', 'screens/login', 'screens/tool', 'screens/tools']);
    for (const [area, texts] of used) expect(texts.size, area).to.be.greaterThan(0);
  });

  it('are all in the English catalogues, with the words of the sources', () => {
    for (const [area, texts] of used)
      expect(catalogueOf(area, 'en'), `${area}: run node --import tsx console/build/find-texts.ts`).to.deep.equal(
        Object.fromEntries(texts),
      );
  });

  it('have words for errors that exist', () => {
    const source = readFileSync(new URL('../../console/src/i18n/problem-words.ts', import.meta.url), 'utf8');
    const codes = [...source.matchAll(/^ {2}([A-Z][A-Z\d_]+):/gm)].map(([, code]) => code as ErrorCode);
    expect(codes).to.include.members(['PDF_DAMAGED', 'QUEUE_FULL']);
    expect(codes.filter((code) => (errorRow(code) as unknown) === undefined)).to.deep.equal([]);
  });

  it('get no-break spaces at French punctuation when they are written', () => {
    expect(typeset('fr', 'Étape {number} : « {name} » ; et après ?')).to.equal(
      'Étape {number}\u00A0: «\u00A0{name}\u00A0»\u00A0; et après\u00A0?',
    );
    expect(typeset('fr', { one: 'Un :', other: 'Des :' })).to.deep.equal({ one: 'Un\u00A0:', other: 'Des\u00A0:' });
    expect(typeset('de', 'Ein : zwei')).to.equal('Ein : zwei');
  });

  for (const language of OTHERS) {
    it(`are all translated in ${language}, and nothing else is`, () => {
      for (const [area, texts] of used)
        expect(
          Object.keys(catalogueOf(area, language)).sort(),
          `${area}: run node --import tsx console/build/find-texts.ts`,
        ).to.deep.equal([...texts.keys()].sort());
    });

    it(`have the same places for values in ${language}, and the plural forms of the language`, () => {
      const rules = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
      for (const [area, texts] of used)
        for (const [key, translated] of Object.entries(catalogueOf(area, language))) {
          const counted = typeof texts.get(key) === 'object';
          expect(typeof translated === 'object', `${area}: ${key} is counted`).to.equal(counted);
          // Forms for exactly one or two may leave the number out.
          const wanted = places(key).filter((place) => !counted || place !== '{count}');
          for (const form of formsOf(translated))
            expect(
              places(form).filter((place) => !counted || place !== '{count}'),
              `${area}: ${form}`,
            ).to.deep.equal(wanted);
          // Millions take the form of other numbers (`texts.ts`).
          if (counted)
            expect(translated, `${area}: ${key}`).to.include.keys(
              rules.filter((rule) => rule !== 'many' || language === 'ar'),
            );
        }
    });
  }
});

describe('The texts of mails', () => {
  const { path, texts } = mailTexts();

  it('are found in the modules that write mails', () => {
    expect([...texts]).to.include.members(['Your invitation to {app}', 'A file was shared with you on {app}']);
  });

  for (const language of LANGUAGES)
    it(`are all translated in ${language}, with the same places for values, and nothing else is`, () => {
      const translated = translationsIn(path, language);
      expect(Object.keys(translated).sort(), 'npm run texts').to.deep.equal([...texts].sort());
      for (const [key, words] of Object.entries(translated)) expect(places(words), key).to.deep.equal(places(key));
    });
});

describe('The texts of the tools', function () {
  this.timeout(60_000);
  let plugins: readonly WorkspacePlugin[];
  let packages: readonly PackageTexts[];
  before(async () => {
    plugins = await loadWorkspacePlugins();
    packages = toolTexts(plugins, await connectorTexts());
  });

  for (const language of LANGUAGES) {
    it(`are all translated in ${language}`, () => {
      const known = new Set(packages.flatMap(({ path }) => Object.keys(translationsIn(path, language))));
      for (const { name, texts } of packages)
        expect(
          [...texts].filter((text) => !known.has(text)),
          `${name}: npm run texts`,
        ).to.deep.equal([]);
    });

    it(`have no translation into ${language} of a text that is gone`, () => {
      for (const { name, path, texts } of packages)
        expect(
          Object.keys(translationsIn(path, language)).filter((text) => !texts.has(text)),
          `${name}: npm run texts`,
        ).to.deep.equal([]);
    });
  }
});
