import type { Signal } from '@preact/signals';

export interface PaletteProps {
  /** What is searched for; it may have been typed before the palette was loaded. */
  readonly query: Signal<string>;
  readonly onClose: () => void;
}
