import { readFileSync } from 'node:fs';
import type { PipelineDefinition } from '@quire/client';
import { EXIT, Failure } from './failure.js';
import { followJob } from './follow-job.js';
import { openInputs } from './inputs.js';
import { GLOBAL_OPTIONS, parse, RESULT_OPTIONS, type ResultValues } from './options.js';
import { note, print, printJson, showsProgress } from './output.js';
import { checkTarget, writeResult } from './results.js';
import { connectTo } from './server.js';

const USAGE = 'quire pipeline run flow.json in.pdf -o out/, or: quire pipeline check flow.json';

/** `quire pipeline run|check <definition> [files]`. */
export async function pipelineCommand(args: readonly string[], signal: AbortSignal): Promise<void> {
  const { values, positionals } = parse({ ...GLOBAL_OPTIONS, ...RESULT_OPTIONS }, args, 'pipeline');
  const { output, force, json, job, ...choice } = values as ResultValues;
  const [action = '', file, ...inputs] = positionals;
  if (!['run', 'check'].includes(action) || file === undefined)
    throw new Failure(EXIT.usage, 'Name an action and the file of a pipeline.', USAGE);
  const definition = definitionIn(file);
  if (action === 'run' && inputs.length === 0) throw new Failure(EXIT.usage, 'The pipeline needs files.', USAGE);
  const files = action === 'run' ? await openInputs(inputs, []) : [];
  const target = {
    output: output ?? (inputs.includes('-') && !process.stdout.isTTY ? '-' : undefined),
    force: force === true,
  };
  checkTarget(target, false);
  const { quire } = await connectTo(choice, signal);
  const pipeline = quire.pipeline(definition);
  if (action === 'check') {
    const report = await pipeline.check({ signal });
    if (json === true) return printJson(report);
    for (const { pointer, detail } of [...report.ignored, ...report.replaced]) note(`${pointer}: ${detail}`);
    return print('The pipeline can run.');
  }
  if (job === true) return print((await pipeline.start(files, { signal })).id);
  const result = showsProgress()
    ? await followJob(await pipeline.start(files, { signal }), 'pipeline', signal)
    : await pipeline.run(files, { signal });
  if (result === undefined) throw new Failure(EXIT.dropped, 'The filters dropped every file: there is no result.');
  const written = await writeResult(result, target);
  if (json === true && target.output !== '-') printJson({ files: [written] });
  else if (written.path !== undefined) note(`Wrote ${written.path}`);
}

function definitionIn(file: string): PipelineDefinition {
  const text = readFileSync(file === '-' ? 0 : file, 'utf8');
  try {
    const definition = JSON.parse(text) as PipelineDefinition | null;
    if (Array.isArray(definition?.pipeline)) return definition;
  } catch (error) {
    throw new Failure(EXIT.file, `${file} is not JSON: ${(error as Error).message}`);
  }
  throw new Failure(
    EXIT.file,
    `${file} has no list of steps.`,
    'Write {"pipeline": [{"operation": "/api/v1/…", "parameters": {}}]}.',
  );
}
