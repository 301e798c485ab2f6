import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Joi from 'joi';
import { showCategories, showOperation, shownTexts } from '@quire/catalog';
import { OTHERS } from '../console/build/find-texts.js';
import { type WorkspacePlugin, root } from './load-workspace-plugins.js';

export const LANGUAGES = OTHERS;

/** The texts that a package brings translations of. */
export interface PackageTexts {
  /** Folder in the repository. */
  readonly name: string;
  readonly path: string;
  readonly texts: ReadonlySet<string>;
}

/**
 * The texts of each plugin, and those that belong to the registry: texts that several plugins use, and `others`, which
 * the server itself declares. Sorted.
 */
export function toolTexts(
  plugins: readonly WorkspacePlugin[],
  others: readonly string[] = [],
): readonly PackageTexts[] {
  const own = plugins.map(({ folder, path, plugin }) => {
    const categories = showCategories(plugin.operations, plugin.categories ?? []);
    const operations = plugin.operations.map((operation) =>
      showOperation({ operation, schema: operation.params(Joi) as Joi.ObjectSchema }, (file) => file),
    );
    return { name: `plugins/${folder}`, path, texts: shownTexts(operations, categories, plugin.templates ?? []) };
  });
  // They count twice, so that they are shared.
  const users = new Map(others.map((text) => [text, 2]));
  for (const { texts } of own) for (const text of texts) users.set(text, (users.get(text) ?? 0) + 1);
  const isShared = (text: string): boolean => users.get(text)! > 1;
  const shared = {
    name: 'registry',
    path: join(root, 'registry'),
    texts: new Set([...users.keys()].filter(isShared).sort()),
  };
  return [
    shared,
    ...own.map((each) => ({ ...each, texts: new Set([...each.texts].filter((text) => !isShared(text)).sort()) })),
  ];
}

/** The translations that a package has; none if it has no such file. */
export function translationsIn(path: string, language: string): Readonly<Record<string, string>> {
  const file = join(path, 'texts', `${language}.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {};
}
