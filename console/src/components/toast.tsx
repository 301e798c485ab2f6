import { signal } from '@preact/signals';
import { t } from '../i18n/frame.ts';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';

interface Toast {
  readonly id: number;
  readonly kind: 'done' | 'error' | 'info';
  readonly text: string;
}

const SHOWN_MS = 6000;
const toasts = signal<readonly Toast[]>([]);
let last = 0;

/** Shows a short message at the edge of the page. Errors stay until they are closed. */
export function toast(text: string, kind: Toast['kind'] = 'done'): void {
  const id = ++last;
  toasts.value = [...toasts.value.slice(-3), { id, kind, text }];
  if (kind !== 'error') setTimeout(() => close(id), SHOWN_MS);
}

function close(id: number): void {
  toasts.value = toasts.value.filter((each) => each.id !== id);
}

const icons = { done: 'circle-check', error: 'circle-alert', info: 'info' } as const;

/** The messages; read to people who do not see them. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, kind, text }) => (
        <div class={`toast ${kind}`} key={id}>
          <Icon name={icons[kind]} />
          <span>{text}</span>
          <IconButton icon="x" size="small" label={t('Close')} onClick={() => close(id)} />
        </div>
      ))}
    </div>
  );
}
