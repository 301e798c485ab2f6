import { useId } from 'preact/hooks';
import { type ControlProps, Select, Switch, TextInput } from '../../../components/index.ts';
import { editableValue, SuggestedChoices } from './choice-options.tsx';
import { buttonValues, choicesOf, labelOfChoice } from './fields.ts';
import { typing } from './typing.ts';
import type { FilledForm } from './filled-form.ts';
import type { FormField } from './fields.ts';

interface ListControlProps {
  readonly form: FilledForm;
  readonly field: FormField;
  readonly control: ControlProps;
}

/** Whether the control of a field is a group of several. */
export function isGroup(field: FormField): boolean {
  return field.type === 'radio' || field.multiSelect || (field.type === 'checkbox' && buttonValues(field).length > 1);
}

/** The control of a field in the list of fields. */
export function ListControl({ form, field, control }: ListControlProps) {
  const value = form.value(field.name);
  switch (field.type) {
    case 'radio':
    case 'checkbox':
      return isGroup(field) ? (
        <ButtonGroup form={form} field={field} control={control} />
      ) : (
        <Switch
          control={control}
          checked={value !== ''}
          onChecked={(checked) => form.set(field.name, checked ? (buttonValues(field)[0] ?? '') : '')}
        />
      );
    case 'listbox':
      return field.multiSelect ? (
        <CheckList form={form} field={field} control={control} />
      ) : (
        <SelectChoice form={form} field={field} control={control} />
      );
    case 'combobox':
      return field.editable ? (
        <EditableChoice form={form} field={field} control={control} />
      ) : (
        <SelectChoice form={form} field={field} control={control} />
      );
    default:
      return <TextField form={form} field={field} control={control} />;
  }
}

function TextField({ form, field, control }: ListControlProps) {
  const common = {
    ...control,
    ...typing(form, field),
    class: 'input',
    dir: 'auto',
    autocomplete: 'off',
    spellcheck: false,
    value: String(form.value(field.name)),
  };
  return field.multiline ? (
    <textarea {...(common as object)} rows={3} />
  ) : (
    <input {...(common as object)} {...({ type: field.password ? 'password' : 'text' } as object)} />
  );
}

function ButtonGroup({ form, field, control }: ListControlProps) {
  const value = form.value(field.name);
  const radio = field.type === 'radio';
  return (
    <div class="form-choices">
      {buttonValues(field).map((own, i) => (
        <label key={own} class="check">
          <input
            type={radio ? 'radio' : 'checkbox'}
            {...(i === 0 ? { id: control.id } : {})}
            name={radio ? `list-${field.name}` : undefined}
            checked={value === own}
            onChange={(event) => form.set(field.name, radio || event.currentTarget.checked ? own : '')}
          />
          <span dir="auto">{own}</span>
        </label>
      ))}
    </div>
  );
}

/** A list box that takes several choices: each is checked by itself. */
function CheckList({ form, field, control }: ListControlProps) {
  const value = form.value(field.name);
  const chosen = typeof value === 'string' ? [] : value;
  return (
    <div class="form-choices form-check-list">
      {choicesOf(field, value).map((choice, i) => (
        <label key={i} class="check">
          <input
            type="checkbox"
            {...(i === 0 ? { id: control.id } : {})}
            checked={chosen.includes(choice.value)}
            onChange={({ currentTarget: { checked } }) =>
              form.set(
                field.name,
                checked ? [...chosen, choice.value] : chosen.filter((other) => other !== choice.value),
              )
            }
          />
          <span dir="auto">{choice.label}</span>
        </label>
      ))}
    </div>
  );
}

function SelectChoice({ form, field, control }: ListControlProps) {
  const value = form.value(field.name);
  const blank = (field.choices ?? []).some((choice) => choice.value === '') ? [] : [{ value: '', label: '' }];
  return (
    <Select
      control={control}
      value={String(value)}
      options={[...blank, ...choicesOf(field, value)]}
      onValue={(text) => form.set(field.name, text)}
    />
  );
}

function EditableChoice({ form, field, control }: ListControlProps) {
  const id = useId();
  return (
    <>
      <TextInput
        control={control}
        dir="auto"
        autocomplete="off"
        list={id}
        value={labelOfChoice(field, String(form.value(field.name)))}
        onText={(text) => form.set(field.name, editableValue(field, text))}
      />
      <SuggestedChoices id={id} field={field} />
    </>
  );
}
