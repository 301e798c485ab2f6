import { Field, LinkButton, Select } from '../../../components/index.ts';
import { ToolForm } from '../../../form/form.tsx';
import type { AutomationDraft } from '../model/automation-draft.ts';
import { t } from '../texts.ts';

/** Stands for steps that belong to the automation alone. */
const OWN_STEPS = '@steps';

/** What runs: a saved pipeline, with values for what it asks for. */
export function WorkPart({ draft, attempted }: { readonly draft: AutomationDraft; readonly attempted: boolean }) {
  const { saved } = draft.known.value;
  const chosen = draft.pipeline.value;
  const before = draft.before?.work.pipeline;
  const own = typeof before === 'object' ? before : undefined;
  const isKnown = typeof chosen !== 'string' || chosen === '' || saved.some(({ name }) => name === chosen);
  const options = [
    { value: '', label: t('Choose a pipeline') },
    ...(own === undefined ? [] : [{ value: OWN_STEPS, label: t('The steps that it has') }]),
    ...(isKnown ? [] : [{ value: chosen, label: chosen }]),
    ...saved.map(({ name, title }) => ({ value: name, label: title })),
  ];
  const isMissing = attempted && chosen.length === 0;
  return (
    <section class="card stack" aria-labelledby="automation-work">
      <h2 id="automation-work">{t('What runs')}</h2>
      {saved.length === 0 && own === undefined ? (
        <p>{t('There is no saved pipeline yet. Build one, save it on the server, and come back.')}</p>
      ) : null}
      <div data-field="pipeline">
        <Field
          label={t('Pipeline')}
          required
          error={draft.refused.value['pipeline'] ?? (isMissing ? t('Choose a pipeline.') : undefined)}
        >
          {(control) => (
            <Select
              control={control}
              value={typeof chosen === 'string' ? chosen : OWN_STEPS}
              options={options}
              onValue={(value) =>
                value === OWN_STEPS && own !== undefined
                  ? draft.choosePipeline(own, draft.before?.work.values)
                  : draft.choosePipeline(value)
              }
            />
          )}
        </Field>
      </div>
      {draft.values.value === undefined ? null : <ToolForm draft={draft.values.value} />}
      <p class="row">
        <LinkButton size="small" icon="workflow" href="pipelines">
          {t('Build a pipeline')}
        </LinkButton>
      </p>
    </section>
  );
}
