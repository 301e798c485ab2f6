import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { expectNone } from './expect-none.js';
import { projectFiles, root, withoutComments } from './import-graph.js';

/** Calls that depend on the LANG of the process, because they name no locale. */
const BY_LANG = new RegExp(
  [
    String.raw`\.localeCompare\([^,()]*(?:\([^()]*\)[^,()]*)*\)`,
    String.raw`\.toLocale(?:|Date|Time|Upper|Lower)(?:String|Case)\(\s*(?:\)|undefined|\[\])`,
    String.raw`\bIntl\.(?!DateTimeFormat\(\)\.resolvedOptions\(\)\.timeZone)\w+\(\s*(?:\)|undefined|\[\])`,
  ].join('|'),
);

const byLang = (text: string): string[] =>
  withoutComments(text)
    .split('\n')
    .filter((line) => BY_LANG.test(line))
    .map((line) => line.trim());

describe('the locale', () => {
  it('is explicit wherever one is used: answers do not depend on the LANG of the server', () => {
    const files = projectFiles().filter((path) => path.endsWith('.ts') && path !== 'test/architecture/locale.test.ts');
    expectNone(
      files.flatMap((path) => byLang(readFileSync(join(root, path), 'utf8')).map((line) => `${path}: ${line}`)),
    );
  });

  it('is reported as missing in every form of call', () => {
    for (const text of [
      'a.name.localeCompare(b.name)',
      'a.localeCompare(nameOf(b))',
      'count.toLocaleString()',
      'name.toLocaleLowerCase()',
      'new Intl.Segmenter(undefined, {})',
      'new Intl.Collator()',
    ])
      expect(byLang(text), text).to.have.length(1);
    for (const text of [
      "a.name.localeCompare(b.name, 'en')",
      "a.localeCompare(nameOf(b), 'en')",
      "count.toLocaleString('en')",
      "new Intl.Segmenter(language ?? 'en')",
      'Intl.DateTimeFormat().resolvedOptions().timeZone',
      'const found: Intl.SegmentData[] = [];',
    ])
      expect(byLang(text), text).to.deep.equal([]);
  });
});
