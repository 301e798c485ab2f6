import { DefectError, type FieldFault, type Principal } from '@quire/registry';
import type { SavedPipeline, SavedPipelines } from '../../automation/index.js';
import type { PipelineService } from '../../operations/pipelines/index.js';
import { fileIds, refuseFaults, unknownArgument, type NamedFile } from './arguments.js';
import { followJob } from './follow-job.js';
import { inputSchema, shortened } from './input-schema.js';
import { jobAnswer } from './job-answer.js';
import { snakeCase } from './operation-tools.js';
import { startToolJob, type RunOperationDeps } from './run-operation.js';
import type { Searchable } from './search-tools.js';
import type { Tool, ToolAnswer, ToolCall } from './tool.js';

export interface PipelineToolsDeps extends RunOperationDeps {
  readonly saved: Pick<SavedPipelines, 'list' | 'runnable'>;
  pipelines(): PipelineService;
}

/** A saved pipeline as a tool. */
export interface PipelineTool {
  readonly tool: Tool;
  readonly searchable: Searchable;
  /** Names by which settings may call it. */
  readonly names: readonly string[];
}

const LONGEST_DESCRIPTION = 220;
const FILES = {
  field: 'fileInput',
  label: 'Files',
  kinds: ['any'],
  extensions: [],
  required: true,
  many: true,
} as const;

/** Returns the saved pipelines that this caller may run now, by name. `taken`: names of other tools. */
export async function pipelineTools(
  deps: PipelineToolsDeps,
  principal: Principal,
  taken: ReadonlySet<string>,
): Promise<PipelineTool[]> {
  const used = new Set(taken);
  return (await deps.saved.list(principal))
    .filter(({ faults }) => faults.length === 0)
    .map((pipeline) => {
      const name = freeName(snakeCase(`pipeline-${pipeline.record.name}`), used);
      used.add(name);
      return toolOf(deps, pipeline, name);
    });
}

function toolOf(deps: PipelineToolsDeps, { record, content, fields }: SavedPipeline, name: string): PipelineTool {
  const { title, description } = content;
  const summary = description === '' ? title : shortened(description, LONGEST_DESCRIPTION);
  const steps = content.definition.pipeline.map((step) =>
    lastPart((step as { readonly operation?: unknown }).operation),
  );
  return {
    names: [record.name, `tools/${record.name}`, name],
    searchable: { name, title, summary, keywords: steps, path: `tools/${record.name}` },
    tool: {
      scope: 'mcp.tools.write',
      definition: {
        name,
        title,
        description: `${summary.replace(/\.?$/, '.')} A saved pipeline: ${steps.join(', then ')}.`,
        inputSchema: inputSchema({ parts: [FILES], fields }),
        // Which of its steps lose something is not known to clients, so they ask.
        annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
      },
      call: (call) => runPipelineTool(deps, record.name, new Set(fields.map((field) => field.name)), call),
    },
  };
}

async function runPipelineTool(
  deps: PipelineToolsDeps,
  name: string,
  inputs: ReadonlySet<string>,
  call: ToolCall,
): Promise<ToolAnswer> {
  const faults: FieldFault[] = [];
  const files: NamedFile[] = [];
  const values: Record<string, unknown> = {};
  for (const [argument, value] of Object.entries(call.arguments)) {
    if (argument === FILES.field)
      files.push(...fileIds(argument, value, `/${argument}`, (pointer, detail) => faults.push({ pointer, detail })));
    else if (inputs.has(argument)) values[argument] = value;
    else faults.push(unknownArgument(argument, new Set([FILES.field, ...inputs])));
  }
  if (files.length === 0) faults.push({ pointer: '/fileInput', detail: 'the fileId of a file is missing' });
  if (files.length > deps.maxFiles)
    faults.push({ pointer: '/fileInput', detail: `names ${files.length} files; at most ${deps.maxFiles} are allowed` });
  refuseFaults(faults);
  const { principal } = call;
  const { json } = await deps.saved.runnable(principal, name, undefined, values);
  const report = await deps.pipelines().verify(json, principal, true);
  await deps.pipelines().check(report, principal);
  const jobId = await startToolJob(deps, files, call, async () => ({
    kind: 'pipeline',
    path: `tools/${name}`,
    params: {},
    pipeline: json,
    needs: deps.needsOf(report.steps.map(({ entry }) => entry)),
  }));
  const record = await followJob(deps, jobId, call);
  if (record === undefined) throw new DefectError('INTERNAL', { detail: 'a job was removed while it ran' });
  return jobAnswer(deps, record, call.base);
}

function lastPart(operation: unknown): string {
  return String(operation).split('/').at(-1) ?? '';
}

function freeName(name: string, used: ReadonlySet<string>): string {
  let chosen = name;
  for (let n = 2; used.has(chosen); n += 1) chosen = `${name}_${n}`;
  return chosen;
}
