import type { PipelineTemplate, ShownCategory } from '@quire/registry';
import type { OperationPresentation } from './show-operation.js';

/**
 * The English texts of operations, categories and templates that people see in forms, menus and the search, each once.
 * Notes are not among them: they are pages of documentation.
 */
export function shownTexts(
  operations: readonly OperationPresentation[],
  categories: readonly ShownCategory[],
  templates: readonly PipelineTemplate[],
): ReadonlySet<string> {
  const texts = new Set(categories.map(({ title }) => title));
  for (const { title, summary } of templates) for (const text of [title, summary]) texts.add(text);
  for (const { title, summary, keywords, parts, groups, fields, examples } of operations) {
    for (const text of [title, summary, ...keywords]) texts.add(text);
    for (const group of groups) texts.add(group.title);
    for (const example of examples) texts.add(example.title);
    for (const { label, help } of [...parts, ...fields]) for (const text of [label, help ?? '']) texts.add(text);
    for (const { values = [] } of fields) for (const { label } of values) if (/\p{L}/u.test(label)) texts.add(label);
  }
  texts.delete('');
  return texts;
}
