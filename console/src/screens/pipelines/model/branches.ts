import { isRecord } from '../../../viewers/index.ts';
import { titleOf } from '../step-icons.tsx';
import { t } from '../texts.ts';
import { API, type StepJson } from './definition.ts';

/** A list of steps inside of a step, with what decides about it. */
export interface Branch {
  readonly label: string;
  readonly steps: readonly StepJson[];
}

/** True for a step that contains steps. */
export function isBranching(step: StepJson): boolean {
  return 'if' in step || 'parallel' in step || 'each' in step;
}

/** What a step does in a few words, if it contains steps. */
export function branchTitle(step: StepJson): string {
  if ('if' in step) return t('If {condition}', { condition: conditionWords(step['if']) });
  return 'each' in step ? t('Each file alone') : t('Branches');
}

/** The lists of steps inside of a step. */
export function branchesOf(step: StepJson): readonly Branch[] {
  if ('if' in step)
    return [
      { label: t('If {condition}', { condition: conditionWords(step['if']) }), steps: stepsIn(step['then']) },
      { label: t('Otherwise'), steps: stepsIn(step['else']) },
    ];
  if ('each' in step) return [{ label: t('Each file alone'), steps: stepsIn(step['each']) }];
  const { parallel } = step;
  return (Array.isArray(parallel) ? (parallel as unknown[]) : []).map((branch, i) => ({
    label: t('Branch {number}', { number: i + 1 }),
    steps: stepsIn(branch),
  }));
}

/** The title of a step of any form. */
export function stepTitle(step: StepJson): string {
  if (isBranching(step)) return branchTitle(step);
  return titleOf(String(step['operation']).replace(API, ''));
}

function stepsIn(value: unknown): readonly StepJson[] {
  return Array.isArray(value) ? (value as unknown[]).filter(isRecord) : [];
}

const signs: Readonly<Record<string, string>> = {
  is: '=',
  in: '∈',
  above: '>',
  below: '<',
  atLeast: '≥',
  atMost: '≤',
};

/** A condition in the notation of the definition: `pages > 10`, `all(kind = pdf, not(locked = true))`. */
function conditionWords(condition: unknown): string {
  if (!isRecord(condition)) return '…';
  const { fact, filter } = condition;
  if (typeof fact === 'string')
    return Object.entries(condition)
      .filter(([name]) => name !== 'fact')
      .map(([name, value]) => `${fact} ${signs[name] ?? name} ${words(value)}`)
      .join(', ');
  if (typeof filter === 'string') return titleOf(filter.replace(API, ''));
  const [[name, inner] = ['…', undefined]] = Object.entries(condition);
  const list: readonly unknown[] = Array.isArray(inner) ? inner : [inner];
  return `${name}(${list.map(conditionWords).join(', ')})`;
}

function words(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join(' | ') : String(value);
}
