import { batch, signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { loadModule } from '../api/index.ts';
import { toast } from '../components/index.ts';
import { t } from '../i18n/frame.ts';
import { textsReady } from '../i18n/index.ts';
import type { PaletteProps } from './palette-props.ts';

const open = signal(false);
const query = signal('');

/** The keys that open the palette, as this platform writes them. */
export const searchKeys = /mac|iphone|ipad/i.test(navigator.platform) ? '⌘K' : 'Ctrl K';

export function openPalette(): void {
  batch(() => {
    query.value = '';
    open.value = true;
  });
}

function closePalette(): void {
  open.value = false;
}

/** Opens the palette with Ctrl+K or ⌘K; its code is loaded when it is first opened. */
export function PaletteHost() {
  const [Palette, setPalette] = useState<ComponentType<PaletteProps> | undefined>();
  const [near, setNear] = useState(false);
  useEffect(() => {
    const keys = (event: KeyboardEvent): void => {
      // Loaded while K is on its way.
      if (event.key === 'Control' || event.key === 'Meta') setNear(true);
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      if (open.value) closePalette();
      else openPalette();
    };
    addEventListener('keydown', keys);
    // Before the page: what is typed is for the palette.
    addEventListener('keydown', takeEarlyKey, { capture: true });
    return () => {
      removeEventListener('keydown', keys);
      removeEventListener('keydown', takeEarlyKey, { capture: true });
    };
  }, []);
  const wanted = (open.value || near) && Palette === undefined;
  useEffect(() => {
    if (wanted)
      loadModule(() => import('../screens/tools/palette.tsx')).then(
        async ({ Palette: loaded }) => {
          await textsReady();
          setPalette(() => loaded);
        },
        () => {
          // Keys must not go to a palette that does not come.
          if (open.value) toast(t('The server cannot be reached'), 'error');
          setNear(false);
          closePalette();
        },
      );
  }, [wanted]);
  return open.value && Palette !== undefined ? <Palette query={query} onClose={closePalette} /> : null;
}

/** Keeps what is typed between the keys that open the palette and the moment when its field has the focus. */
function takeEarlyKey(event: KeyboardEvent): void {
  const isInPalette = document.activeElement?.matches('dialog.palette *') === true;
  if (!open.value || isInPalette) return;
  const { key, ctrlKey, metaKey, isComposing } = event;
  // With AltGr, which browsers report as Ctrl and Alt, people type letters too.
  const isShortcut = (ctrlKey || metaKey) && !event.getModifierState('AltGraph');
  if (isShortcut || isComposing) return;
  if (key === 'Escape') closePalette();
  else if (key === 'Backspace') query.value = [...query.value].slice(0, -1).join('');
  else if ([...key].length === 1) query.value += key;
  else if (key !== 'Enter') return;
  event.preventDefault();
  event.stopPropagation();
}
