import type { ShownOperation } from '@quire/registry';
import { catalog } from '../../../api/index.ts';
import { compareTexts, rt } from '../../../i18n/index.ts';
import { ChoiceDialog, isFound, type Choice } from '../../tools/choice-dialog.tsx';
import { searchTools } from '../../tools/search.ts';
import { formTitle } from '../model/branches.ts';
import { acceptedBy } from '../model/flow.ts';
import { branchForms, type BranchForm } from '../model/step.ts';
import { t } from '../texts.ts';

interface AddStepDialogProps {
  /** Kinds that the step before gives; undefined for any. */
  readonly reaching: readonly string[] | undefined;
  readonly onClose: () => void;
  readonly onChoose: (path: string) => void;
  /** Chooses a step with branches. */
  readonly onBranch: (form: BranchForm) => void;
}

/** Chooses the tool of a new step, or branches. Tools that take what the step before gives come first. */
export function AddStepDialog({ reaching, onClose, onChoose, onBranch }: AddStepDialogProps) {
  return (
    <ChoiceDialog
      title={t('Add a step')}
      placeholder={t('What should happen next?')}
      choicesFor={(query) => [...branchChoices(query, onBranch), ...toolChoices(query, reaching, onChoose)]}
      empty={t('No tool matches.')}
      onClose={onClose}
    />
  );
}

function toolChoices(
  query: string,
  reaching: AddStepDialogProps['reaching'],
  onChoose: AddStepDialogProps['onChoose'],
): readonly Choice[] {
  const titles = new Map(catalog.value?.categories.map(({ id, title }) => [id, rt(title)]));
  return possibleSteps(reaching)
    .flatMap((operations) => searchTools(operations, query))
    .map(({ path, icon, title, summary, category }) => ({
      key: path,
      icon,
      title: rt(title),
      summary: rt(summary),
      category: titles.get(category) ?? category,
      choose: () => onChoose(path),
    }));
}

function branchChoices(query: string, onBranch: AddStepDialogProps['onBranch']): readonly Choice[] {
  return branchForms
    .map((form) => ({
      key: `#${form}`,
      icon: form === 'each' ? 'files' : 'split',
      title: formTitle(form),
      summary: formSummary(form),
      category: t('Branches'),
      choose: () => onBranch(form),
    }))
    .filter(({ title }) => isFound(title, query));
}

/**
 * The tools that can be steps: first those that take what reaches them, then the others. Tools that always need a
 * second file cannot be steps.
 */
function possibleSteps(reaching: readonly string[] | undefined): readonly (readonly ShownOperation[])[] {
  const order = new Map(catalog.value?.categories.map(({ id, order: place }) => [id, place]));
  const fits = (operation: ShownOperation): boolean => {
    const accepted = acceptedBy(operation);
    return reaching === undefined || accepted === undefined || reaching.some((kind) => accepted.includes(kind));
  };
  const possible = (catalog.value?.operations ?? [])
    .filter(
      ({ pipeline, availability, deprecated, parts }) =>
        pipeline &&
        availability.state === 'available' &&
        deprecated === undefined &&
        !parts.slice(1).some(({ required }) => required),
    )
    .sort(
      (a, b) =>
        (order.get(a.category) ?? 0) - (order.get(b.category) ?? 0) ||
        a.order - b.order ||
        compareTexts(rt(a.title), rt(b.title)),
    );
  return [possible.filter(fits), possible.filter((operation) => !fits(operation))];
}

function formSummary(form: BranchForm): string {
  switch (form) {
    case 'if':
      return t('Files go one way or the other');
    case 'parallel':
      return t('All files go all ways');
    case 'each':
      return t('Several steps for one file after the other');
  }
}
