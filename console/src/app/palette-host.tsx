import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { loadModule } from '../api/index.ts';
import { textsReady } from '../i18n/index.ts';

const open = signal(false);

/** The keys that open the palette, as this platform writes them. */
export const searchKeys = /mac|iphone|ipad/i.test(navigator.platform) ? '⌘K' : 'Ctrl K';

export function openPalette(): void {
  open.value = true;
}

/** Opens the palette with Ctrl+K or ⌘K; its code is loaded when it is first opened. */
export function PaletteHost() {
  const [Palette, setPalette] = useState<ComponentType<{ readonly onClose: () => void }> | undefined>();
  const [near, setNear] = useState(false);
  useEffect(() => {
    const keys = (event: KeyboardEvent): void => {
      // Loaded while K is on its way, so that what is typed at once is not lost.
      if (event.key === 'Control' || event.key === 'Meta') setNear(true);
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      open.value = !open.value;
    };
    addEventListener('keydown', keys);
    return () => removeEventListener('keydown', keys);
  }, []);
  const wanted = (open.value || near) && Palette === undefined;
  useEffect(() => {
    if (wanted)
      void loadModule(() => import('../screens/tools/palette.tsx')).then(async ({ Palette: loaded }) => {
        await textsReady();
        setPalette(() => loaded);
      });
  }, [wanted]);
  return open.value && Palette !== undefined ? <Palette onClose={() => (open.value = false)} /> : null;
}
