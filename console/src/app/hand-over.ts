import { navigate } from './router.ts';

let handed: readonly File[] = [];

/** Opens a screen with files that the browser already has: a result of a tool, a file of a job. */
export function openScreenWith(address: string, files: readonly File[]): void {
  handed = files;
  navigate(address);
}

/** Opens a tool with such files. */
export function openToolWith(path: string, files: readonly File[]): void {
  openScreenWith(`tool/${path}`, files);
}

/** Takes the files that were handed over; a second call gets none. */
export function takeHandedFiles(): readonly File[] {
  const files = handed;
  handed = [];
  return files;
}
