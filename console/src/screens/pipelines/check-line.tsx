import { Icon } from '../../components/index.ts';
import type { Check } from './model/check.ts';
import type { Pipeline } from './model/pipeline.ts';
import { t } from './texts.ts';

const icons: Readonly<Record<Check['state'], string>> = {
  empty: 'info',
  checking: 'loader',
  valid: 'circle-check',
  faulty: 'circle-alert',
  unknown: 'unplug',
};

/** What the server says about the pipeline, in one line. */
export function CheckLine({ pipeline, check }: { readonly pipeline: Pipeline; readonly check: Check }) {
  const { state, general } = check;
  const steps = pipeline.placed().length;
  return (
    <div class={`check-line ${state}`} role="status" data-check={state}>
      <Icon name={icons[state]} size={18} />
      <div>
        <p>{wordsOf(check, steps)}</p>
        {general.map((detail) => (
          <p class="small break" key={detail}>
            {detail}
          </p>
        ))}
      </div>
    </div>
  );
}

function wordsOf({ state, count }: Check, steps: number): string {
  switch (state) {
    case 'empty':
      return t('Add a step to begin.');
    case 'checking':
      return t('Checking …');
    case 'valid':
      return t.count(steps, '{count} step, ready to run', '{count} steps, ready to run');
    case 'faulty':
      return t.count(count, '{count} problem to solve', '{count} problems to solve');
    case 'unknown':
      return t('The server could not check this. It is checked again after the next change.');
  }
}
