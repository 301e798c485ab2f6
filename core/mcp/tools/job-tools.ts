import type Joi from 'joi';
import { InputError, isQuireError } from '@quire/registry';
import type { JobRecord } from '../../jobs/index.js';
import { followJob, type FollowDeps } from './follow-job.js';
import { jobAnswer, type JobAnswerDeps } from './job-answer.js';
import { ownTool } from './own-tool.js';
import type { Tool, ToolCall } from './tool.js';

export interface JobToolsDeps extends FollowDeps, JobAnswerDeps {
  ownerOf(principal: ToolCall['principal']): string;
}

const schema = (joi: Joi.Root) =>
  joi.object({ jobId: joi.string().max(300).required().description('From an earlier answer') });

/** Tools for work that takes longer than a call. */
export function jobTools(deps: JobToolsDeps): Tool[] {
  return [
    ownTool({
      name: 'get_job',
      title: 'Get a job',
      description: 'Waits for work that an earlier call began, and returns its result or its progress.',
      scope: 'mcp.tools.read',
      readOnly: true,
      schema,
      async call(call) {
        const { jobId } = await ownJob(deps, call);
        // A client that stops waiting must not end the work: another call may ask for it.
        const record = await followJob(deps, jobId, { ...call, keeps: true });
        if (record === undefined) throw unknownJob();
        return jobAnswer(deps, record, call.base);
      },
    }),
    ownTool({
      name: 'cancel_job',
      title: 'Cancel a job',
      description: 'Cancels work that an earlier call began, or deletes its result files before they expire.',
      scope: 'mcp.tools.write',
      readOnly: false,
      schema,
      async call(call) {
        const { jobId } = await ownJob(deps, call);
        const jobs = await deps.jobs();
        const cancelled = await jobs.cancel(jobId).then(
          () => true,
          (error: unknown) => {
            if (isQuireError(error) && error.code === 'JOB_COMPLETE') return false;
            throw error;
          },
        );
        if (!cancelled) await jobs.forget(jobId);
        const text = cancelled ? 'The job was cancelled.' : 'The job and its files were deleted.';
        return { content: [{ type: 'text', text }], structuredContent: { jobId, cancelled } };
      },
    }),
  ];
}

/** The caller's job; one of somebody else is as unknown as one that does not exist. */
async function ownJob(deps: JobToolsDeps, { arguments: { jobId }, principal }: ToolCall): Promise<JobRecord> {
  const record = await (await deps.jobs()).get(String(jobId));
  if (record === undefined || record.owner !== deps.ownerOf(principal)) throw unknownJob();
  return record;
}

function unknownJob(): InputError {
  const detail = 'no job of yours has this id: it may have expired or been deleted';
  return new InputError('INPUT_INVALID', { detail }, [{ pointer: '/jobId', detail }]);
}
