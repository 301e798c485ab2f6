import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import type { AnyOperation, Example } from '@quire/registry';
import { type OperationAnswer } from '../call-operation.js';
import type { TestHost } from './host.js';
import { callExample } from './run-section.js';
import { type Subject, type TestContext, type TestRunner, programNote } from './subject.js';

interface JobRecord {
  readonly status?: string;
}

const ended = ['succeeded', 'failed', 'cancelled', 'deleted'];

/** Tests that a cancelled job stops and leaves nothing behind. */
export function abortSection(subject: Subject, { it }: TestRunner, host: () => Promise<TestHost>): void {
  for (const operation of subject.operations) {
    if (operation.job?.async === false) continue;
    const [example] = operation.examples as readonly Example<unknown>[];
    if (example === undefined) continue;
    it(`${operation.path} stops when it is cancelled${programNote(operation)}`, async function (this: TestContext) {
      const { url, leftovers } = await host();
      const started = await startJob(url, subject, operation, example);
      if (started.code === 'PROGRAM_MISSING') return this.skip?.();
      const { jobId } = started.json<{ jobId?: string }>();
      expect(jobId, 'jobId').to.be.a('string');
      const address = `${url}/api/v1/general/job/${jobId}`;
      const cancelled = await fetch(address, { method: 'DELETE' });
      const wasDeleted = (await cancelled.text()).includes('deleted');
      // A short run may finish before: while it does the answer is a refusal, and afterwards its job is deleted.
      expect(cancelled.status, 'status of the cancellation').to.be.lessThan(500);
      let status: string | undefined;
      for (let i = 0; i < 40; i++) {
        const answer = await fetch(address);
        const record = (await answer.json()) as JobRecord;
        status = answer.status === 404 && wasDeleted ? 'deleted' : record.status;
        if (status !== undefined && ended.includes(status)) break;
        await wait(50);
      }
      expect(ended, `status ${status} of the job after the cancellation`).to.include(status);
      expect(await leftovers(), 'temporary files').to.deep.equal([]);
    });
  }
}

function startJob(
  url: string,
  subject: Subject,
  operation: AnyOperation,
  example: Example<unknown>,
): Promise<OperationAnswer> {
  return callExample(url, subject, { ...operation, path: `${operation.path}?async=true` }, example);
}
