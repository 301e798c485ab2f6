import { navigate } from './router.ts';

let handed: readonly File[] = [];

/** Opens a tool with files that the browser already has: a result of another tool, a file of a job. */
export function openToolWith(path: string, files: readonly File[]): void {
  handed = files;
  navigate(`tool/${path}`);
}

/** Takes the files that were handed over; a second call gets none. */
export function takeHandedFiles(): readonly File[] {
  const files = handed;
  handed = [];
  return files;
}
