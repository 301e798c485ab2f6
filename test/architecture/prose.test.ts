import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorTable } from '@quire/registry';
import { knownKeys } from '../../core/settings/index.js';
import { expectNone } from './expect-none.js';
import { projectFiles, root } from './import-graph.js';

/**
 * Wording that readers of this project stumbled over, with what to write instead (CONTRIBUTING.md, style). Each is
 * wrong in user-visible text whatever it means there.
 */
const wordList: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\banew\b/i, 'again'],
  [/\bhand(?:s|ed)? (?:it |them |that )?out\b/i, 'returns'],
  [/\b(?:is|are|was|were) told\b/i, 'is reported, is documented'],
  [/\btells anew\b/i, 'now documents'],
  [/\b(?:is|are) not taken\b/i, 'is not accepted'],
  [/\btaken in\b/i, 'accepted'],
  [/\bnot to be had\b|\b(?:cannot|can) be had\b/i, 'not available'],
  [/\b(?:is|are) none of\b/i, 'is not a'],
  [/\bwhat (?:\w+ ){1,3}stands? on\b/i, 'dependencies'],
  [/\bheld against\b|\bholds? (?:it|them|\w+) to that\b/i, 'compared with'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fixes, repairs'],
  [/\bthe own (?:password|key|name)\b/i, 'your password'],
  [/\bends well\b|\bis at an end\b/i, 'has finished'],
  [/\bparted by\b/i, 'separated by'],
  [/\bin vain\b/i, 'without success'],
  [/\bone behind the other\b/i, 'one after another'],
];

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Texts by where they are found. */
function userVisibleTexts(): (readonly [where: string, text: string])[] {
  const documents = projectFiles().filter(
    (path) =>
      path.endsWith('.md') &&
      !/^docs\/(interface|reports)\/|fixtures\/|^THIRD_PARTY|^registry\/contract\.api/.test(path),
  );
  const { paths, components } = JSON.parse(read('docs/reference/openapi.json')) as {
    paths: object;
    components: object;
  };
  return [
    ...documents.flatMap((path) =>
      read(path)
        .split('\n')
        .map((line, i) => [`${path}:${i + 1}`, line.replaceAll(/`[^`]*`/g, '')] as const),
    ),
    ...read('config/settings.yml')
      .split('\n')
      .map((line, i) => [`config/settings.yml:${i + 1}`, line] as const),
    ...knownKeys.map(({ path, meaning }) => [`setting ${path}`, meaning] as const),
    ...Object.entries(errorTable).flatMap(([code, row]) =>
      [row.title, row.text, 'hint' in row ? row.hint : ''].map((text) => [`error ${code}`, text] as const),
    ),
    ...describedTexts(paths, 'OpenAPI'),
    ...describedTexts(components, 'OpenAPI'),
  ];
}

/** Every summary and description of the API document. */
function describedTexts(value: unknown, where: string): (readonly [string, string])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    (key === 'description' || key === 'summary') && typeof member === 'string'
      ? [[where, member] as const]
      : describedTexts(member, `${where} ${key}`.slice(0, 120)),
  );
}

describe('the text that users read', () => {
  it('uses the usual words', () => {
    const found = userVisibleTexts().flatMap(([where, text]) =>
      wordList.flatMap(([pattern, instead]) => {
        const word = pattern.exec(text)?.[0];
        return word === undefined ? [] : [`${where}: "${word}", better: ${instead}`];
      }),
    );
    expectNone([...new Set(found)]);
  });
});
