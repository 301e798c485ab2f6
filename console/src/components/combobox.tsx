import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import type { ControlProps } from './field.tsx';

export interface ComboboxProps<T> {
  readonly label?: string;
  readonly control?: ControlProps;
  readonly value: string;
  readonly onText: (text: string) => void;
  readonly items: readonly T[];
  readonly itemKey: (item: T) => string;
  readonly itemText: (item: T) => ComponentChildren;
  readonly onChoose: (item: T) => void;
  readonly placeholder?: string;
  /** The list is always shown, as in a palette. */
  readonly always?: boolean;
  readonly autoFocus?: boolean;
  /** Shown instead of an empty list. */
  readonly empty?: ComponentChildren;
}

/** A text field with a list of suggestions (WAI-ARIA, combobox with list autocomplete). */
export function Combobox<T>(props: ComboboxProps<T>) {
  const { value, onText, items, itemKey, itemText, onChoose, always = false } = props;
  const [open, setOpen] = useState(always);
  const [at, setAt] = useState(always ? 0 : -1);
  const list = useRef<HTMLUListElement>(null);
  const pointer = useRef<{ readonly x: number; readonly y: number } | undefined>(undefined);
  const id = useId();
  const shown = open && items.length > 0;
  const active = Math.min(at, items.length - 1);
  const move = (to: number): void => {
    const next = (to + items.length) % Math.max(items.length, 1);
    setOpen(true);
    setAt(next);
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' });
  };
  const choose = (item: T | undefined): void => {
    if (item === undefined) return;
    if (!always) setOpen(false);
    onChoose(item);
  };
  const keys = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      move(active + (event.key === 'ArrowDown' ? 1 : -1));
    } else if (event.key === 'Enter' && shown && active >= 0) {
      event.preventDefault();
      choose(items[active]);
    } else if (event.key === 'Escape' && open && !always) {
      event.stopPropagation();
      event.preventDefault();
      setOpen(false);
    }
  };
  return (
    <div class={`combobox ${always ? 'always' : ''}`}>
      <input
        type="text"
        role="combobox"
        class="input"
        autocomplete="off"
        spellcheck={false}
        {...props.control}
        aria-label={props.label}
        aria-expanded={shown}
        aria-autocomplete="list"
        aria-controls={`${id}l`}
        aria-activedescendant={shown && active >= 0 ? `${id}-${active}` : undefined}
        placeholder={props.placeholder}
        autoFocus={props.autoFocus}
        value={value}
        onInput={(event) => {
          onText(event.currentTarget.value);
          setOpen(true);
          setAt(always ? 0 : -1);
        }}
        onFocus={() => items.length > 0 && setOpen(true)}
        onBlur={() => !always && setOpen(false)}
        onKeyDown={keys}
      />
      {shown ? (
        <ul class="options" role="listbox" id={`${id}l`} ref={list} aria-label={props.label}>
          {items.map((item, i) => (
            <li
              key={itemKey(item)}
              role="option"
              id={`${id}-${i}`}
              aria-selected={i === active}
              class={i === active ? 'active' : ''}
              // Not click: the field must keep the focus.
              onPointerDown={(event) => event.preventDefault()}
              onPointerMove={(event) => hasMoved(pointer, event) && i !== active && setAt(i)}
              onClick={() => choose(item)}
            >
              {itemText(item)}
            </li>
          ))}
        </ul>
      ) : (
        open && props.empty
      )}
    </div>
  );
}

/**
 * Whether the pointer is elsewhere than at its last event. Browsers also send one to what appears below a pointer that
 * rests, and that must not change what Enter chooses.
 */
function hasMoved(
  last: { current: { readonly x: number; readonly y: number } | undefined },
  event: PointerEvent,
): boolean {
  const { clientX: x, clientY: y } = event;
  const before = last.current;
  last.current = { x, y };
  return before !== undefined && (before.x !== x || before.y !== y);
}
