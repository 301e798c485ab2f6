import { operationOf } from '../../../api/index.ts';
import { Button, Dialog, Icon } from '../../../components/index.ts';
import { formatBytes, formatDate, formatDuration, formatList, rt } from '../../../i18n/index.ts';
import { formTitle } from '../../pipelines/model/branches.ts';
import { API } from '../../pipelines/model/definition.ts';
import { runLook, triggerWords } from '../looks.ts';
import type { Run, RunStep, StepFiles } from '../model/automation.ts';
import { t } from '../texts.ts';

/** One run: what started it, its steps with times and files, and where the results are. */
export function RunDialog({ run, onClose }: { readonly run: Run; readonly onClose: () => void }) {
  const { state, trigger, inputs, bytes, startedAt, endedAt, attempt, steps, outputs, warnings, detail } = run;
  const look = runLook(state);
  return (
    <Dialog
      title={t('Run of {name}', { name: formatList(inputs.slice(0, 3)) })}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('Close')}</Button>}
    >
      <div class="stack" data-run-details>
        <p class="row">
          <span class={`badge ${look.badge}`}>
            <Icon name={look.icon} size={14} />
            {look.label}
          </span>
          <span class="soft small">
            {[
              triggerWords(trigger),
              formatDate(startedAt),
              formatBytes(bytes),
              ...(endedAt === null ? [] : [formatDuration(Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)))]),
              ...(attempt > 1 ? [t('Attempt {number}', { number: attempt })] : []),
            ].join(' · ')}
          </span>
        </p>
        {detail === null || detail === '' ? null : (
          <p class="break automation-problem" dir="auto">
            {detail}
          </p>
        )}
        <section class="stack-small">
          <h3>{t('Steps')}</h3>
          {steps.length === 0 ? (
            <p class="soft small">{t('There is no record of its steps.')}</p>
          ) : (
            <ol class="automation-steps">
              {steps.map((step) => (
                <StepRow key={`${step.index} ${step.operation}`} step={step} />
              ))}
            </ol>
          )}
        </section>
        {outputs.length === 0 ? null : (
          <section class="stack-small">
            <h3>{t('Results')}</h3>
            <ul class="automation-steps">
              {outputs.map(({ name, places }, i) => (
                <li key={i} class="break">
                  <bdi>{name}</bdi>
                  {places.map((place) => (
                    <p key={place} class="small break">
                      <Icon name="send" size={14} /> <bdi>{place}</bdi>
                    </p>
                  ))}
                </li>
              ))}
            </ul>
          </section>
        )}
        {warnings.map((warning) => (
          <p key={warning} class="small soft break" dir="auto">
            {warning}
          </p>
        ))}
      </div>
    </Dialog>
  );
}

/** What a step did: its files before and after, and where it failed, why. */
function StepRow({
  step: { index, operation, ms, received, returned, warnings = [], error },
}: {
  readonly step: RunStep;
}) {
  return (
    <li data-run-step={index} data-failed={error === undefined ? undefined : error.code}>
      <strong>{titleOf(operation)}</strong> <span class="soft small">{formatDuration(ms)}</span>
      {error === undefined ? null : (
        <>
          {' '}
          <span class="badge danger">
            <Icon name="circle-alert" size={14} />
            {t('Failed')}
          </span>
        </>
      )}
      <p class="small break">
        <bdi>{filesWords(received)}</bdi> → <bdi>{filesWords(returned)}</bdi>
      </p>
      {error === undefined ? null : (
        <p class="small break automation-problem" dir="auto">
          {[error.detail, error.hint].filter(Boolean).join(' ')}
          {error.pointer === undefined ? null : (
            <>
              {' '}
              <code class="soft">{error.pointer}</code>
            </>
          )}
        </p>
      )}
      {warnings.map((warning) => (
        <p key={warning} class="small soft break" dir="auto">
          {warning}
        </p>
      ))}
    </li>
  );
}

function titleOf(address: string): string {
  if (address === 'if') return formTitle('if');
  const operation = operationOf(address.replace(API, ''));
  return operation === undefined ? address : rt(operation.title);
}

function filesWords({ count, names, bytes }: StepFiles): string {
  if (count === 0) return t('None');
  const more = count - names.length;
  const files = formatList(more <= 0 ? names : [...names, t.count(more, '{count} more file', '{count} more files')]);
  return bytes === undefined ? files : `${files} (${formatBytes(bytes)})`;
}
