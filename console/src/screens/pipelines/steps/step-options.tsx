import { Field, Select, TextInput } from '../../../components/index.ts';
import type { Step } from '../model/step.ts';
import { t } from '../texts.ts';

/** What happens if a step fails, and what its results are called. */
export function StepOptions({ step }: { readonly step: Step }) {
  const onError = step.onError.value;
  const faults = step.optionFaults.value;
  const hasName = step.branchForm === undefined || step.branchForm === 'each' || step.resultName.value !== '';
  const isOpen = onError !== '' || step.resultName.value !== '' || Object.keys(faults).length > 0;
  const options = [
    { value: '', label: t('End the run (as usual)') },
    ...(onError === 'stop' ? [{ value: 'stop', label: t('End the run') }] : []),
    { value: 'skip', label: t('Leave the file out') },
    { value: 'continue', label: t('Go on with the file as it was') },
  ];
  const isKnown = options.some(({ value }) => value === onError);
  return (
    <details class="more step-options" open={isOpen || undefined}>
      <summary>{hasName ? t('If it fails, and name of the results') : t('If it fails')}</summary>
      <div class="stack">
        <div data-option="onError">
          <Field label={t('If this step fails')} error={faults['onError']}>
            {(control) => (
              <Select
                control={control}
                value={onError}
                options={isKnown ? options : [...options, { value: onError, label: onError }]}
                onValue={(value) => (step.onError.value = value)}
              />
            )}
          </Field>
        </div>
        {hasName ? (
          <div data-option="name">
            <Field
              label={t('Name of the results')}
              help={t('Without extension; with placeholders such as {example}. Empty for the usual name.', {
                example: '{{file.base}}-signed',
              })}
              error={faults['name']}
            >
              {(control) => (
                <TextInput
                  control={control}
                  value={step.resultName.value}
                  onText={(text) => (step.resultName.value = text)}
                  spellcheck={false}
                />
              )}
            </Field>
          </div>
        ) : null}
      </div>
    </details>
  );
}
