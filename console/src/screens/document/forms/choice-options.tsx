import { choicesOf, type FormField, type Value } from './fields.ts';

interface ChoiceOptionsProps {
  readonly field: FormField;
  readonly value: Value;
  /** With a choice that empties the field. */
  readonly blank?: boolean;
}

/** The options of a `select`. */
export function ChoiceOptions({ field, value, blank = false }: ChoiceOptionsProps) {
  const choices = choicesOf(field, value);
  const chosen = typeof value === 'string' ? [value] : value;
  return (
    <>
      {blank && !choices.some((choice) => choice.value === '') ? <option value="" selected={value === ''} /> : null}
      {choices.map((choice, i) => (
        <option key={i} value={choice.value} selected={chosen.includes(choice.value)} dir="auto">
          {choice.label}
        </option>
      ))}
    </>
  );
}

/** The options of an editable combo box, for its `list`. */
export function SuggestedChoices({ id, field }: { readonly id: string; readonly field: FormField }) {
  return (
    <datalist id={id}>
      {(field.choices ?? []).map(({ label }, i) => (
        <option key={i} value={label} />
      ))}
    </datalist>
  );
}

/** The value for what was typed into an editable combo box: that of the choice with this label, else the text. */
export function editableValue({ choices = [] }: FormField, text: string): string {
  return choices.find(({ label }) => label === text)?.value ?? text;
}
