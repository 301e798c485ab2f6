import { Button, Icon } from '../../../components/index.ts';
import { isShown } from '../../../form/values.ts';
import type { Step } from '../model/step.ts';
import { t } from '../texts.ts';

/** The server's words about the step; about its fields where these are not in view. */
export function StepMarks({ step, open }: { readonly step: Step; readonly open: boolean }) {
  const { form, operation } = step;
  const typed = form?.typed.value ?? {};
  const inView = new Set(
    open
      ? operation?.fields.filter((field) => form !== undefined && isShown(field, typed)).map(({ name }) => name)
      : [],
  );
  const { step: own, fields } = step.faults.value;
  const marks = [
    ...own,
    ...Object.entries(fields).flatMap(([name, detail]) =>
      inView.has(name) || name in step.extras ? [] : [named(name, detail)],
    ),
  ];
  const notes = step.notes.value;
  if (marks.length === 0 && notes.length === 0 && Object.keys(step.extras).length === 0) return null;
  return (
    <div class="step-marks">
      {marks.map((detail) => (
        <p class="field-error" key={detail} role="alert">
          <Icon name="circle-alert" size={16} />
          <span class="break">{detail}</span>
        </p>
      ))}
      {open
        ? null
        : Object.entries(step.extras).map(([name]) =>
            fields[name] === undefined ? null : (
              <p class="field-error" key={name}>
                <Icon name="circle-alert" size={16} />
                <span class="break">{named(name, fields[name])}</span>
              </p>
            ),
          )}
      {notes.map((detail) => (
        <p class="step-note small" key={detail}>
          <Icon name="info" size={16} />
          <span class="break">{detail}</span>
        </p>
      ))}
    </div>
  );
}

/** The server's words, with the name of the field where they lack it. */
function named(name: string, detail: string): string {
  return detail.includes(name) ? detail : `${name}: ${detail}`;
}

/** Parameters that the form cannot show: they are kept until somebody removes them. */
export function Extras({ step }: { readonly step: Step }) {
  const extras = Object.entries(step.extras);
  if (extras.length === 0) return null;
  return (
    <section class="extras" aria-label={t('Other parameters')}>
      <p class="branch-title">{t('Other parameters')}</p>
      <p class="soft small">{t('The form cannot show these. They are kept as they were imported.')}</p>
      <ul>
        {extras.map(([name, value]) => (
          <li key={name} data-extra={name}>
            <div class="grow">
              <code class="break">
                {name}: {JSON.stringify(value)}
              </code>
              {step.faults.value.fields[name] === undefined ? null : (
                <p class="field-error">
                  <Icon name="circle-alert" size={16} />
                  <span class="break">{step.faults.value.fields[name]}</span>
                </p>
              )}
            </div>
            <Button size="small" kind="quiet" icon="x" onClick={() => step.removeExtra(name)}>
              {t('Remove')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
