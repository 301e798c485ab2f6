import { type FormField, limited } from './fields.ts';
import type { FilledForm } from './filled-form.ts';

type TextEvent = Event & { readonly currentTarget: HTMLInputElement | HTMLTextAreaElement };

/** Handlers of a text control: what is typed becomes the value, as far as the field takes it. */
export function typing(
  form: FilledForm,
  field: FormField,
): { readonly onInput: (event: TextEvent) => void; readonly onCompositionEnd: (event: TextEvent) => void } {
  const enter = (target: TextEvent['currentTarget'], composing: boolean): void => {
    const text = composing ? target.value : limited(target.value, field);
    // The field may have had this value already: then nothing else takes away what is too much.
    if (target.value !== text) target.value = text;
    form.set(field.name, text);
  };
  return {
    onInput: (event) => enter(event.currentTarget, (event as Event as InputEvent).isComposing),
    onCompositionEnd: (event) => enter(event.currentTarget, false),
  };
}
