import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

export interface MenuItem {
  readonly label: string;
  readonly icon?: string;
  /** The chosen one of several. */
  readonly checked?: boolean;
  readonly danger?: boolean;
  /** A line above it. */
  readonly apart?: boolean;
  readonly run: () => void;
}

interface MenuProps {
  readonly label: string;
  /** Content of the button; it has the label as its name when it has no text. */
  readonly children: ComponentChildren;
  readonly items: readonly MenuItem[];
  readonly class?: string;
  /** `up` for buttons at the lower edge, `end` for those at the end of a line. */
  readonly side?: 'down' | 'up' | 'end';
}

/** A button that opens a list of actions: arrow keys, Home, End, Escape (WAI-ARIA, menu button). */
export function Menu({ label, children, items, class: extra = 'button quiet normal', side = 'down' }: MenuProps) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const entries = (): HTMLElement[] => [...(box.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])];
  useEffect(() => {
    if (!open) return undefined;
    (entries().find((entry) => entry.ariaChecked === 'true') ?? entries()[0])?.focus();
    const outside = (event: Event): void => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', outside);
    return () => document.removeEventListener('pointerdown', outside);
  }, [open]);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  const keys = (event: KeyboardEvent): void => {
    const all = entries();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      all.at(to % all.length)?.focus();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      close();
    } else if (event.key === 'Tab') setOpen(false);
  };
  return (
    <div class="menu" ref={box}>
      <button
        ref={button}
        type="button"
        class={extra}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-label={label}
        title={label}
        onClick={() => setOpen(!open)}
      >
        {children}
      </button>
      {open ? (
        <div class={`menu-list ${side}`} role="menu" id={id} aria-label={label} onKeyDown={keys}>
          {items.map((item) => (
            <button
              type="button"
              key={item.label}
              tabIndex={-1}
              class={`menu-item ${item.danger === true ? 'danger' : ''} ${item.apart === true ? 'apart' : ''}`}
              {...(item.checked === undefined
                ? { role: 'menuitem' as const }
                : { role: 'menuitemradio' as const, 'aria-checked': item.checked })}
              onClick={() => {
                close();
                item.run();
              }}
            >
              {item.icon === undefined ? null : <Icon name={item.icon} size={18} />}
              <span>{item.label}</span>
              {item.checked === true ? <Icon name="check" size={16} /> : null}
            </button>
          ))}
        </div>
      ) : null}
    </div>
  );
}
