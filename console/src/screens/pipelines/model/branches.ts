import { catalog } from '../../../api/index.ts';
import { formatList, rt } from '../../../i18n/index.ts';
import { isRecord } from '../../../viewers/index.ts';
import { titleOf } from '../step-icons.tsx';
import { t } from '../texts.ts';
import { API, type StepJson } from './definition.ts';
import type { BranchForm, Step } from './step.ts';

/** What a step with branches is called in lists of steps. */
export function formTitle(form: BranchForm): string {
  switch (form) {
    case 'if':
      return t('If … then … otherwise');
    case 'parallel':
      return t('Branches');
    case 'each':
      return t('Each file alone');
  }
}

/** The title of a step of any form, as its JSON has it. */
export function stepTitle(step: StepJson): string {
  if ('if' in step) return t('If {condition}', { condition: conditionWords(step['if']) });
  if ('each' in step) return t('Each file alone');
  return 'parallel' in step ? t('Branches') : titleOf(String(step['operation']).replace(API, ''));
}

/** What a branch of a step is called: when files take it. */
export function branchTitle({ branchForm }: Pick<Step, 'branchForm'>, i: number): string {
  if (branchForm === 'if') return i === 0 ? t('Then') : t('Otherwise');
  return branchForm === 'each' ? t('Each file alone') : t('Branch {number}', { number: i + 1 });
}

/** The paths of all tools of a pipeline, in the order in which they are written. */
export function toolsOf(steps: readonly StepJson[]): readonly string[] {
  return steps.flatMap((step) =>
    typeof step['operation'] === 'string'
      ? [step['operation'].replace(API, '')]
      : listsIn(step).flatMap((list) => (Array.isArray(list) ? toolsOf((list as unknown[]).filter(isRecord)) : [])),
  );
}

/** What may be lists of steps inside of a step. */
function listsIn({ parallel, ...step }: StepJson): readonly unknown[] {
  const branches = Array.isArray(parallel) ? (parallel as unknown[]) : [];
  return [step['then'], step['else'], step['each'], ...branches];
}

const signs: Readonly<Record<string, string>> = {
  is: '=',
  in: '∈',
  above: '>',
  below: '<',
  atLeast: '≥',
  atMost: '≤',
};

/** What a comparison means in words. */
export function wordLabel(word: string): string {
  switch (word) {
    case 'is':
      return t('is');
    case 'in':
      return t('is one of');
    case 'above':
      return t('is more than');
    case 'below':
      return t('is less than');
    case 'atLeast':
      return t('is at least');
    default:
      return t('is at most');
  }
}

/** The title of a fact by its name. */
export function factTitle(name: string): string {
  const title = catalog.value?.facts.find((fact) => fact.name === name)?.title;
  return title === undefined ? name : rt(title);
}

/** A condition in a few words: `Number of pages > 10`. */
export function conditionWords(condition: unknown): string {
  if (!isRecord(condition)) return '…';
  const { fact, filter, not, all } = condition;
  const either = condition['any'];
  if (typeof fact === 'string')
    return Object.entries(condition)
      .filter(([name]) => name !== 'fact')
      .map(([name, value]) => `${factTitle(fact)} ${signs[name] ?? name} ${valueWords(value)}`)
      .join(', ');
  if (typeof filter === 'string') return titleOf(filter.replace(API, ''));
  if ('not' in condition) return t('not ({condition})', { condition: conditionWords(not) });
  if (Array.isArray(all)) return formatList(all.map(conditionWords));
  if (Array.isArray(either)) return formatList(either.map(conditionWords), 'disjunction');
  return '…';
}

/** A value of a fact, or what it is compared with. */
export function valueWords(value: unknown): string {
  if (value === true) return t('yes');
  if (value === false) return t('no');
  return Array.isArray(value) ? value.map(valueWords).join(' | ') : String(value);
}
