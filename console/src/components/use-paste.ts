import { useEffect, useRef } from 'preact/hooks';
import { filesOfTransfer } from '../files/index.ts';

/** Takes files that are pasted anywhere on the page. Import it with the screen that needs it. */
export function usePaste(onFiles: (files: readonly File[]) => void): void {
  const latest = useRef(onFiles);
  latest.current = onFiles;
  useEffect(() => {
    const paste = (event: ClipboardEvent): void => {
      if (event.clipboardData === null || event.clipboardData.files.length === 0) return;
      event.preventDefault();
      void filesOfTransfer(event.clipboardData).then((files) => latest.current(files));
    };
    addEventListener('paste', paste);
    return () => removeEventListener('paste', paste);
  }, []);
}
