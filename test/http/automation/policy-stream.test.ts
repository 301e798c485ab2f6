import { expect } from 'chai';
import { makePdf } from '../../kit/make-pdf.js';
import { AutomationServer, turn } from '../support/automations.js';
import { expectProblem, field, file, json, post, type Answer } from '../support/client.js';
import { API } from '../support/pipelines.js';

interface StreamedEvent {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

function eventsOf({ body }: Answer): readonly StreamedEvent[] {
  return body
    .toString()
    .split('\n\n')
    .filter((text) => text.startsWith('event:'))
    .map((text) => {
      const [, event = '', data = '{}'] = /^event: (.*)\ndata: (.*)$/.exec(text) ?? [];
      return { event, data: JSON.parse(data) as StreamedEvent['data'] };
    });
}

describe('A stream of steps that run once', () => {
  const stream = async (on: AutomationServer, steps: unknown, bytes?: Uint8Array): Promise<Answer> =>
    post(`${on.url}${API}/policies/run/stream`, [
      file(bytes ?? (await makePdf({ pages: 1 }))),
      field('json', JSON.stringify({ steps })),
    ]);

  describe('with the usual time limit', () => {
    const on = new AutomationServer();
    before(() => on.start());
    after(() => on.server.stop());

    it('begins with the run, and ends with its results', async () => {
      const answer = await stream(on, turn.pipeline);
      expect(answer.headers['content-type']).to.contain('text/event-stream');
      const events = eventsOf(answer);
      const { runId } = events[0]?.data ?? {};
      expect(events[0]).to.deep.include({ event: 'run' });
      expect(events.at(-1)?.event).to.equal('completed');
      expect(events.at(-1)?.data).to.deep.include({ runId, status: 'COMPLETED', stepCount: 1 });
      expect(json<{ status: string }>(await on.get(`policies/run/${String(runId)}`)).status).to.equal('COMPLETED');
    });

    it('ends with the failure', async () => {
      const last = eventsOf(await stream(on, turn.pipeline, Buffer.from('%PDF-1.7 nothing else'))).at(-1);
      expect([last?.event, last?.data['status']]).to.deep.equal(['failed', 'FAILED']);
    });

    it('is refused before it begins when the steps are wrong', async () => {
      const wrong = [{ operation: `${API}/general/rotate-pdf`, parameters: { angle: 91 } }];
      expectProblem(await stream(on, wrong), 400, 'PIPELINE_INVALID');
    });
  });

  describe('that is cut off', () => {
    const on = new AutomationServer();
    before(() => on.start({ policies: { streamTimeoutMs: 1 } }));
    after(() => on.server.stop());

    it('says where the run is, which goes on', async () => {
      const events = eventsOf(await stream(on, turn.pipeline));
      expect(events.map(({ event }) => event)).to.include('run');
      expect(events.at(-1)?.event).to.be.oneOf(['ended', 'completed']);
      expect(events.at(-1)?.data['runId']).to.equal(events[0]?.data['runId']);
    });
  });
});
