import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/frame.ts';
import { IconButton } from './button.tsx';

export interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** Buttons at the end. */
  readonly actions?: ComponentChildren;
  readonly size?: 'small' | 'normal' | 'large';
  /** `sheet` comes from the side. */
  readonly kind?: 'dialog' | 'sheet' | 'palette';
  /** False: it has no button to close it, and Escape does nothing. */
  readonly closable?: boolean;
}

/** A modal dialog: the platform's own, which keeps the focus and closes with Escape. Shown while it is rendered. */
export function Dialog({
  title,
  onClose,
  children,
  actions,
  size = 'normal',
  kind = 'dialog',
  closable = true,
}: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Open before the browser shows it: what is typed at once would be lost in a dialog that is still closed.
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    element.current?.showModal();
    return () => before?.isConnected && before.focus();
  }, []);
  return (
    <dialog
      ref={element}
      class={`dialog ${kind} ${size}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (closable) onClose();
      }}
      onClick={(event) => {
        if (closable && event.target === element.current) onClose();
      }}
    >
      <div class="dialog-body">
        <header class={kind === 'palette' ? 'hidden-visually' : 'dialog-head'}>
          <h2 id={id}>{title}</h2>
          {closable && kind !== 'palette' ? <IconButton icon="x" label={t('Close')} onClick={onClose} /> : null}
        </header>
        {children}
        {actions === undefined ? null : <footer class="dialog-actions">{actions}</footer>}
      </div>
    </dialog>
  );
}
