import { useEffect, useRef, useState } from 'preact/hooks';
import { loadElement } from '../../api/index.ts';
import { language } from '../../i18n/index.ts';
import type { FormValue } from '../values.ts';
import { TextWidget } from './text-widgets.tsx';
import type { WidgetProps } from './widget.ts';

/**
 * What a custom element of a plugin has: the console sets `field` once and `value`, and reads `value` at every `input`.
 */
interface FieldElement extends HTMLElement {
  field: WidgetProps['field'];
  value: FormValue;
}

/** The custom element that a plugin brings for a field; a text field where it cannot be loaded. */
export function ElementWidget(props: WidgetProps) {
  const { field, value, control, onValue } = props;
  const name = field.element ?? '';
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef<FieldElement | undefined>(undefined);
  const changed = useRef(onValue);
  changed.current = onValue;
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  useEffect(() => {
    let left = false;
    loadElement(name).then(
      () => left || setState('ready'),
      () => left || setState('failed'),
    );
    return () => void (left = true);
  }, [name]);
  useEffect(() => {
    if (state !== 'ready' || place.current === null) return undefined;
    const element = document.createElement(name) as FieldElement;
    element.field = field;
    element.value = value;
    element.lang = language.value;
    const read = (event: Event): void => {
      event.stopPropagation();
      changed.current(element.value);
    };
    element.addEventListener('input', read);
    place.current.replaceChildren(element);
    shown.current = element;
    return () => element.remove();
  }, [state, name]);
  useEffect(() => {
    const element = shown.current;
    if (element !== undefined && element.value !== value) element.value = value;
  }, [value]);
  if (state === 'failed') return <TextWidget {...props} />;
  return <div ref={place} id={control.id} class="plugin-element" aria-busy={state === 'loading'} />;
}
