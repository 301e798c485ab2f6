import { useEffect } from 'preact/hooks';
import type { Redaction } from './redaction.ts';

/** Ctrl+Z takes back marks first, then versions: it is heard before the workbench hears it. */
export function useMarkKeys(redaction: Redaction): void {
  useEffect(() => {
    const keys = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
      const field = (event.target as Element).closest?.('input:not([type="checkbox"]), textarea, select, dialog');
      const key = event.key.toLowerCase();
      if (field || (key !== 'z' && key !== 'y')) return;
      const again = key === 'y' || event.shiftKey;
      if (again ? !redaction.canRedo.value : !redaction.canUndo.value) return;
      event.preventDefault();
      if (again) redaction.redo();
      else redaction.undo();
    };
    addEventListener('keydown', keys, { capture: true });
    return () => removeEventListener('keydown', keys, { capture: true });
  }, [redaction]);
}
