import { useState } from 'preact/hooks';
import { asProblem } from '../api/index.ts';
import { signal } from '@preact/signals';
import { t } from '../i18n/frame.ts';
import { Button, IconButton } from './button.tsx';
import { Icon } from './icon.tsx';

interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

interface Toast {
  readonly id: number;
  readonly kind: 'done' | 'error' | 'info';
  readonly text: string;
  readonly action: ToastAction | undefined;
}

const SHOWN_MS = 6000;
/** With a button, people need time to reach it. */
const SHOWN_WITH_ACTION_MS = 12_000;
const toasts = signal<readonly Toast[]>([]);
let last = 0;

/**
 * Shows a short message at the edge of the page, with a button if it has an action. Errors stay until they are closed.
 * Returns what closes it.
 */
export function toast(text: string, kind: Toast['kind'] = 'done', action?: ToastAction): () => void {
  const id = ++last;
  toasts.value = [...toasts.value.slice(-3), { id, kind, text, action }];
  const closeThis = (): void => close(id);
  if (kind !== 'error') setTimeout(closeThis, action === undefined ? SHOWN_MS : SHOWN_WITH_ACTION_MS);
  return closeThis;
}

function close(id: number): void {
  toasts.value = toasts.value.filter((each) => each.id !== id);
}

const icons = { done: 'circle-check', error: 'circle-alert', info: 'info' } as const;

/** The messages; read to people who do not see them. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, kind, text, action }) => (
        <div class={`toast ${kind}`} key={id}>
          <Icon name={icons[kind]} />
          <span>{text}</span>
          {action === undefined ? null : (
            <Button
              size="small"
              onClick={() => {
                close(id);
                action.run();
              }}
            >
              {action.label}
            </Button>
          )}
          <IconButton icon="x" size="small" label={t('Close')} onClick={() => close(id)} />
        </div>
      ))}
    </div>
  );
}

/** Work that a button begins: `busy` is what is under way, and an error is shown in a toast. */
export function useAttempt<K extends string>() {
  const [busy, setBusy] = useState<K | undefined>();
  const attempt = async (what: K, work: () => Promise<void>): Promise<void> => {
    setBusy(what);
    try {
      await work();
    } catch (error) {
      toast(asProblem(error).message, 'error');
    } finally {
      setBusy(undefined);
    }
  };
  return { busy, attempt };
}
