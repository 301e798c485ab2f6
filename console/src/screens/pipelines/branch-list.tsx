import { branchesOf, isBranching, stepTitle } from './model/branches.ts';
import type { StepJson } from './model/definition.ts';
import { t } from './texts.ts';

/** The steps inside of a step, as a list in a list. */
export function BranchList({ step }: { readonly step: StepJson }) {
  return (
    <ul class="branch-list">
      {branchesOf(step).map(({ label, steps }, i) => (
        <li key={i} data-branch={i + 1}>
          <p class="small break">{label}</p>
          {steps.length === 0 ? (
            <p class="soft small">{t('Files go on as they are.')}</p>
          ) : (
            <ol>
              {steps.map((inner, at) => (
                <li key={at}>
                  <span class="break">{stepTitle(inner)}</span>
                  {isBranching(inner) ? <BranchList step={inner} /> : null}
                </li>
              ))}
            </ol>
          )}
        </li>
      ))}
    </ul>
  );
}
