import { filesOfTransfer } from './dropped-files.ts';

/** Handlers of an element on which files may be dropped; what a part of it has taken itself is left alone. */
export function caughtFiles(onFiles: (files: readonly File[]) => void) {
  return {
    onDragOver: (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes('Files') === true) event.preventDefault();
    },
    onDrop: (event: DragEvent): void => {
      if (event.defaultPrevented || event.dataTransfer?.types.includes('Files') !== true) return;
      event.preventDefault();
      void filesOfTransfer(event.dataTransfer).then(onFiles);
    },
  };
}
