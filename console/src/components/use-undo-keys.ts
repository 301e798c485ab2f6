import { useEffect, useRef } from 'preact/hooks';

interface Undoable {
  undo(): void;
  redo(): void;
}

/** Ctrl+Z, Ctrl+Y and Ctrl+Shift+Z, but in fields and dialogs, which have their own. */
export function useUndoKeys(undoable: Undoable): void {
  const latest = useRef(undoable);
  latest.current = undoable;
  useEffect(() => {
    const keys = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
      if ((event.target as Element).closest?.('input, textarea, select, dialog, [contenteditable]')) return;
      const key = event.key.toLowerCase();
      if (key !== 'z' && key !== 'y') return;
      event.preventDefault();
      if (key === 'y' || event.shiftKey) latest.current.redo();
      else latest.current.undo();
    };
    addEventListener('keydown', keys);
    return () => removeEventListener('keydown', keys);
  }, []);
}
