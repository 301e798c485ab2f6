import type { ComponentType } from 'preact';
import { Button, Icon, IconButton } from '../../../components/index.ts';
import { flowWords } from '../kind-words.ts';
import { branchTitle } from '../model/branches.ts';
import { StepList, type Step } from '../model/step.ts';
import { t } from '../texts.ts';
import type { BuilderView, StepListViewProps } from './builder-view.ts';
import { ConditionEditor } from './condition-editor.tsx';

interface BranchesViewProps {
  readonly view: BuilderView;
  readonly step: Step;
  /** Number of the step, such as `2` or `2.1.1`. */
  readonly place: string;
  /** Shows the steps of a branch. */
  readonly ListView: ComponentType<StepListViewProps>;
}

/** A step with branches: its condition, and the steps of each branch. */
export function BranchesView({ view, step, place, ListView }: BranchesViewProps) {
  const { pipeline } = view;
  const branches = step.branches.value;
  const isParallel = step.branchForm === 'parallel';
  return (
    <>
      {step.branchForm === 'if' ? <ConditionEditor step={step} /> : null}
      {isParallel ? <p class="soft small">{t('Every branch gets all files. All results go on together.')}</p> : null}
      {step.branchForm === 'each' ? (
        <p class="soft small">{t('These steps run for every file alone, also those that take several files.')}</p>
      ) : null}
      {branches.map((branch, i) => {
        const title = branchTitle(step, i);
        const reaching = pipeline.flow.value.lists.get(branch);
        const isEmpty = branch.steps.value.length === 0;
        return (
          <section key={branch.id} class="branch" data-branch={i + 1} aria-label={title}>
            <header class="branch-head">
              <Icon name={icons[step.branchForm ?? 'parallel'][i] ?? 'git-branch'} size={16} />
              <span class="branch-title">{title}</span>
              {reaching === undefined ? null : <span class="badge">{flowWords(reaching)}</span>}
              <span class="grow" />
              {isParallel && branches.length > 1 ? (
                <IconButton
                  size="small"
                  icon="x"
                  label={t('Remove: {what}', { what: title })}
                  onClick={() => pipeline.removeBranch(step, branch)}
                />
              ) : null}
            </header>
            {isEmpty ? (
              <p class="soft small">
                {step.branchForm === 'each' ? t('Add a step to begin.') : t('Files go on as they are.')}
              </p>
            ) : null}
            <ListView view={view} list={branch} place={`${place}.${i + 1}`} label={title} />
          </section>
        );
      })}
      {isParallel ? (
        <div class="row">
          <Button size="small" icon="git-branch" onClick={() => (step.branches.value = [...branches, new StepList()])}>
            {t('Add a branch')}
          </Button>
        </div>
      ) : null}
    </>
  );
}

const icons: Readonly<Record<NonNullable<Step['branchForm']>, readonly string[]>> = {
  if: ['check', 'x'],
  each: ['file'],
  parallel: [],
};
