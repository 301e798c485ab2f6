import { useEffect, useState } from 'preact/hooks';
import { Field } from '../../../components/index.ts';
import { ToolForm } from '../../../form/form.tsx';
import { formatDate } from '../../../i18n/index.ts';
import type { InputDraft } from '../model/automation-draft.ts';
import { nextTimes } from '../model/next-times.ts';
import { triggerOf, WEEK } from '../model/trigger-fields.ts';
import { t } from '../texts.ts';

const SHOWN_TIMES = 3;
/** A Monday: names of days come from the language. */
const MONDAY = Date.UTC(2026, 5, 1);
const DAY_MS = 86_400_000;

/** What starts the work, and the next times of a schedule. */
export function TriggerForm({ input }: { readonly input: InputDraft }) {
  const { type, repeat } = input.trigger.typed.value;
  return (
    <>
      <ToolForm draft={input.trigger} />
      {type === 'schedule' && repeat === 'weekly' ? <Days input={input} /> : null}
      {type === 'schedule' ? <NextTimes input={input} /> : null}
    </>
  );
}

function Days({ input }: { readonly input: InputDraft }) {
  const days = input.days.value;
  const set = (day: string, isIn: boolean): void => {
    input.days.value = new Set(WEEK.filter((one) => (one === day ? isIn : days.has(one))));
    input.daysFault.value = undefined;
  };
  const fault = input.daysFault.value ?? (days.size === 0 ? t('Choose a day at least.') : undefined);
  return (
    <Field group label={t('Days of the week')} error={fault}>
      {() => (
        <div class="row">
          {WEEK.map((day, i) => (
            <label key={day} class="automation-day">
              <input
                type="checkbox"
                checked={days.has(day)}
                onChange={({ currentTarget }) => set(day, currentTarget.checked)}
              />
              {formatDate(MONDAY + i * DAY_MS, { weekday: 'long', timeZone: 'UTC' })}
            </label>
          ))}
        </div>
      )}
    </Field>
  );
}

function NextTimes({ input }: { readonly input: InputDraft }) {
  const [times, setTimes] = useState<readonly Date[]>([]);
  const trigger = triggerOf(input.trigger.typed.value, input.days.value);
  const key = JSON.stringify(trigger);
  useEffect(() => {
    let isOver = false;
    void nextTimes(trigger, SHOWN_TIMES).then((found) => {
      if (!isOver) setTimes(found);
    });
    return () => {
      isOver = true;
    };
  }, [key]);
  return (
    <p class="soft small" role="status">
      {times.length === 0 ? null : t('Next: {times}', { times: times.map((time) => formatDate(time)).join(' · ') })}
    </p>
  );
}
