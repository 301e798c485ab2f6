import type { ReadonlySignal } from '@preact/signals';
import type { FieldGroup, ShownField, ShownOperation } from '@quire/registry';
import { Field, Switch } from '../components/index.ts';
import { rt } from '../i18n/index.ts';
import { t } from './texts.ts';
import { initialValue, isRequired, isShown, type FormValue, type FormValues } from './values.ts';
import { ElementWidget, isGroup, widgets } from './widgets/index.ts';
import './form.css';

/** What the form shows: the values of an operation's fields, and what is wrong with them. */
export interface FormDraft {
  readonly operation: Pick<ShownOperation, 'fields' | 'groups'>;
  readonly values: ReadonlySignal<FormValues>;
  readonly typed: ReadonlySignal<Readonly<Record<string, unknown>>>;
  set(name: string, value: FormValue): void;
  /** The fault to show at a field. */
  faultOf(name: string): string | undefined;
}

/** The fields of a tool, with their conditions, groups and faults. */
export function ToolForm({ draft }: { readonly draft: FormDraft }) {
  const { operation } = draft;
  const typed = draft.typed.value;
  const shown = operation.fields.filter((field) => isShown(field, typed));
  if (operation.fields.length === 0) return <p class="soft">{t('This tool has no options.')}</p>;
  const usual = shown.filter(({ advanced }) => advanced !== true);
  const advanced = shown.filter((field) => field.advanced === true);
  // Faults must be seen.
  const open = advanced.some(({ name }) => draft.faultOf(name) !== undefined);
  return (
    <div class="stack tool-form">
      <Groups draft={draft} fields={usual} />
      {advanced.length === 0 ? null : (
        <details class="more" open={open}>
          <summary>{t.count(advanced.length, '{count} more option', '{count} more options')}</summary>
          <div class="stack">
            <Groups draft={draft} fields={advanced} />
          </div>
        </details>
      )}
    </div>
  );
}

/** Fields without a group first, then each group under its title. */
function Groups({ draft, fields }: { readonly draft: FormDraft; readonly fields: readonly ShownField[] }) {
  const known = new Set(draft.operation.groups.map(({ id }) => id));
  const ofGroup = ({ id }: FieldGroup): ShownField[] => fields.filter((field) => field.group === id);
  return (
    <>
      {fields
        .filter(({ group }) => group === undefined || !known.has(group))
        .map((field) => (
          <ToolField key={field.name} draft={draft} field={field} />
        ))}
      {draft.operation.groups
        .filter((group) => ofGroup(group).length > 0)
        .map((group) => (
          <fieldset class="group" key={group.id}>
            <legend>{rt(group.title)}</legend>
            <div class={group.widget === undefined ? 'stack' : 'group-grid'}>
              {ofGroup(group).map((field) => (
                <ToolField key={field.name} draft={draft} field={field} />
              ))}
            </div>
          </fieldset>
        ))}
    </>
  );
}

function ToolField({ draft, field }: { readonly draft: FormDraft; readonly field: ShownField }) {
  const value = draft.values.value[field.name] ?? initialValue(field);
  const label = rt(field.label);
  const help = field.help === undefined ? undefined : rt(field.help);
  const error = draft.faultOf(field.name);
  const required = isRequired(field, draft.typed.value);
  if (field.widget === 'switch')
    return (
      <div class="switch-line" data-field={field.name}>
        <Field label={label} help={help} error={error} required={false}>
          {(control) => (
            <Switch
              control={control}
              checked={value === true}
              onChecked={(checked) => draft.set(field.name, checked)}
            />
          )}
        </Field>
      </div>
    );
  const Widget = field.element === undefined ? widgets[field.widget] : ElementWidget;
  return (
    <div data-field={field.name}>
      <Field label={label} help={help} error={error} required={required} group={isGroup(field)}>
        {(control) => (
          <Widget field={field} control={control} value={value} onValue={(next) => draft.set(field.name, next)} />
        )}
      </Field>
    </div>
  );
}
