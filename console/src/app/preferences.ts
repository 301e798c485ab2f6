import { effect, signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';
export type Density = 'comfortable' | 'compact';

/** A signal whose value is kept in this browser. */
export function kept<T>(name: string, initial: T): { value: T; peek(): T } {
  const key = `quire.${name}`;
  const read = (): T => {
    try {
      const text = localStorage.getItem(key);
      return text === null ? initial : (JSON.parse(text) as T);
    } catch {
      return initial;
    }
  };
  const value = signal<T>(read());
  let first = true;
  effect(() => {
    const text = JSON.stringify(value.value);
    if (!first) localStorage.setItem(key, text);
    first = false;
  });
  addEventListener('storage', (event) => {
    if (event.key === key) value.value = read();
  });
  return value;
}

export const theme = kept<Theme>('theme', 'system');
export const density = kept<Density>('density', 'comfortable');

/** Applies the preferences to the page, now and when they change. */
export function applyPreferences(): void {
  effect(() => {
    document.documentElement.dataset['theme'] = theme.value;
    document.documentElement.dataset['density'] = density.value;
  });
}
