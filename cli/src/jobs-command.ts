import type { JobStatus } from '@quire/client';
import { EXIT, Failure } from './failure.js';
import { followJob } from './follow-job.js';
import { GLOBAL_OPTIONS, parse, RESULT_OPTIONS, type ResultValues } from './options.js';
import { note, print, printJson } from './output.js';
import { checkTarget, writeResult } from './results.js';
import { connectTo } from './server.js';

const ACTIONS = ['list', 'show', 'wait', 'result', 'cancel'];

/** `quire jobs [list | show|wait|result|cancel <id>]`. */
export async function jobsCommand(args: readonly string[], signal: AbortSignal): Promise<void> {
  const { values, positionals } = parse({ ...GLOBAL_OPTIONS, ...RESULT_OPTIONS }, args, 'jobs');
  const { output, force, json, ...choice } = values as ResultValues;
  const [action = 'list', id] = positionals;
  if (!ACTIONS.includes(action))
    throw new Failure(EXIT.usage, `Unknown action "${action}" of quire jobs.`, `Actions: ${ACTIONS.join(', ')}`);
  if (action !== 'list' && id === undefined)
    throw new Failure(EXIT.usage, `quire jobs ${action} needs the id of a job.`);
  const target = { output, force: force === true };
  checkTarget(target, false);
  const { quire } = await connectTo(choice, signal);
  if (action === 'list') {
    const jobs = await quire.jobs.list({}, { signal });
    if (json === true) return printJson(jobs);
    for (const { jobId, status, progress, path, createdAt } of jobs)
      print(`${jobId}  ${status.padEnd(9)} ${String(progress).padStart(3)} %  ${path}  ${createdAt}`);
    if (jobs.length === 0) note('There are no jobs.');
    return;
  }
  const job = quire.jobs.get(id ?? '');
  if (action === 'cancel') {
    await job.cancel({ signal });
    return note(`Stopped or deleted ${job.id}`);
  }
  if (action === 'show') return show(await job.status({ signal }), json === true);
  const result = await followJob(job, 'job', signal);
  if (action === 'wait') return show(await job.status({ signal }), json === true);
  const written = await writeResult(result, target);
  if (json === true && output !== '-') printJson({ files: [written] });
  else if (written.path !== undefined) note(`Wrote ${written.path}`);
}

function show(status: JobStatus, json: boolean): void {
  if (json) return printJson(status);
  const { jobId, progress, error, failureCode, allResultFiles } = status;
  const reason = error === null ? '' : `  ${error}${failureCode === null ? '' : ` (${failureCode})`}`;
  print(`${jobId}  ${status.status}  ${progress} %${reason}`);
  for (const { fileName, fileSize } of allResultFiles) print(`  ${fileName}  ${fileSize} bytes`);
}
