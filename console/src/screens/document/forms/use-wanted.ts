import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { FilledForm, Placed } from './filled-form.ts';

interface Focus<T extends HTMLElement> {
  readonly ref: RefObject<T | null>;
  readonly 'data-stop': string | undefined;
  readonly onFocus: () => void;
}

/** Properties of a control on a page: it takes the focus when it is wanted, and says which field people are at. */
export function useWanted<T extends HTMLElement>(form: FilledForm | undefined, placed: Placed | undefined): Focus<T> {
  const ref = useRef<T>(null);
  const wanted = form !== undefined && placed !== undefined && form.wanted.value === placed.key;
  useEffect(() => {
    if (!wanted || form === undefined) return;
    form.wanted.value = undefined;
    ref.current?.focus({ preventScroll: true });
    ref.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [wanted]);
  return {
    ref,
    'data-stop': placed?.key,
    onFocus: () => {
      if (form !== undefined && placed !== undefined) form.current.value = placed.field.name;
    },
  };
}
