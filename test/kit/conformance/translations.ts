import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Joi from 'joi';
import { showCategories, showOperation, shownTexts } from '@quire/catalog';
import type { Plugin } from '@quire/registry';

/** Faults of the translations in the package's `texts/<language>.json`; none if it has none. */
export function translationFaults(root: string, { operations, categories = [], templates = [] }: Plugin): string[] {
  const folder = join(root, 'texts');
  if (!existsSync(folder)) return [];
  const shown = operations.map((operation) =>
    showOperation({ operation, schema: operation.params(Joi) as Joi.ObjectSchema }, (file) => file),
  );
  const known = shownTexts(shown, showCategories(operations, categories), templates);
  return readdirSync(folder).flatMap((name) => {
    if (!/^[a-z]{2,3}\.json$/.test(name))
      return [`texts/${name} is not named by a language of two or three letters, such as de.json.`];
    const texts: unknown = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    if (typeof texts !== 'object' || texts === null || Array.isArray(texts))
      return [`texts/${name} is not an object of translations by the English text.`];
    return Object.entries(texts).flatMap(([text, translation]) =>
      typeof translation !== 'string' || translation === ''
        ? [`texts/${name}: the translation of "${text}" is not a text.`]
        : known.has(text)
          ? []
          : [`texts/${name} translates "${text}", which no operation shows.`],
    );
  });
}
