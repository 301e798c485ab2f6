/** A running job of a tool, so that it is found again after the page was loaded again. */
export interface RememberedJob {
  readonly jobId: string;
  readonly label: string;
  readonly inputBytes: number;
}

const STORED = 'quire.jobs';
type Stored = Readonly<Record<string, readonly RememberedJob[]>>;

/** For this tab alone: other tabs have jobs of their own. */
function read(): Stored {
  try {
    return JSON.parse(sessionStorage.getItem(STORED) ?? '{}') as Stored;
  } catch {
    return {};
  }
}

export function rememberedJobs(path: string): readonly RememberedJob[] {
  return read()[path] ?? [];
}

export function rememberJob(path: string, job: RememberedJob): void {
  const stored = read();
  sessionStorage.setItem(STORED, JSON.stringify({ ...stored, [path]: [...(stored[path] ?? []), job] }));
}

export function forgetJob(path: string, jobId: string): void {
  const stored = read();
  const rest = (stored[path] ?? []).filter((job) => job.jobId !== jobId);
  sessionStorage.setItem(STORED, JSON.stringify({ ...stored, [path]: rest }));
}
