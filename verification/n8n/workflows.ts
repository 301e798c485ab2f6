/** A node of a workflow, as n8n exports it. */
interface WorkflowNode {
  readonly name: string;
  readonly webhookId?: string;
  readonly type: string;
  readonly typeVersion: number;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly credentials?: Readonly<Record<string, { readonly id: string; readonly name: string }>>;
  readonly onError?: string;
}

/** Id and name of the credentials that the check imports. */
export const CREDENTIALS = { id: 'quireCheck', name: 'Quire' };

/** The trigger of the workflow `trigger`: part of its address, and the key of the signatures. */
export const TRIGGER = {
  webhookId: '5f0c2f0e-6a52-4c0f-9a64-0d6a2a1c7d11',
  secret: 'whsec_dGhlIGtleSBvZiB0aGUgdHJpZ2dlciBvZiB0aGlzIGNoZWNr',
};

export interface Workflow {
  readonly id: string;
  readonly name: string;
  readonly nodes: readonly object[];
  readonly connections: object;
}

const byHand = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} };

/** Returns a workflow whose nodes follow each other after a start, by hand if none is given. */
function chain(id: string, nodes: readonly WorkflowNode[], start: WorkflowNode = byHand): Workflow {
  const all = [start, ...nodes];
  return {
    id,
    name: id,
    nodes: all.map((node, at) => ({ id: `${id}-${at}`, position: [at * 200, 0], ...node })),
    connections: Object.fromEntries(
      all.slice(0, -1).map(({ name }, at) => [name, { main: [[{ node: all[at + 1]?.name, type: 'main', index: 0 }]] }]),
    ),
  };
}

function read(pattern: string): WorkflowNode {
  const parameters = { operation: 'read', fileSelector: pattern, options: {} };
  return { name: 'Read', type: 'n8n-nodes-base.readWriteFile', typeVersion: 1, parameters };
}

function write(path: string): WorkflowNode {
  const parameters = { operation: 'write', fileName: path, dataPropertyName: 'data', options: {} };
  return { name: 'Write', type: 'n8n-nodes-base.readWriteFile', typeVersion: 1, parameters };
}

function quire(name: string, parameters: WorkflowNode['parameters'], onError?: string): WorkflowNode {
  return {
    name,
    type: 'n8n-nodes-quire.quire',
    typeVersion: 1,
    parameters,
    credentials: { quireApi: CREDENTIALS },
    ...(onError === undefined ? {} : { onError }),
  };
}

/** The workflow that a call-back starts: it downloads the result of the job and writes it into the folder. */
export function triggeredWorkflow(folder: string): Workflow {
  const start = {
    name: 'Finished',
    type: 'n8n-nodes-quire.quireTrigger',
    typeVersion: 1,
    parameters: { secret: TRIGGER.secret, events: ['job.succeeded'] },
    webhookId: TRIGGER.webhookId,
  };
  const get = quire('Get', { resource: 'job', operation: 'getResult', jobId: '={{ $json.jobId }}' });
  return chain('quireTriggered', [get, write(`${folder}/triggered.pdf`)], start);
}

/** The workflows that are started by hand; `folder` has a.pdf and b.pdf, and gets the results. */
export function workflows(folder: string): Readonly<Record<string, Workflow>> {
  const rotate = { resource: 'general', operation: 'rotatePdf', options: { angle: 90 } };
  return {
    rotate: chain('quireRotate', [read(`${folder}/a.pdf`), quire('Rotate', rotate), write(`${folder}/rotated.pdf`)]),
    merge: chain('quireMerge', [
      read(`${folder}/{a,b}.pdf`),
      quire('Merge', { resource: 'general', operation: 'mergePdfs' }),
      write(`${folder}/merged.pdf`),
    ]),
    watermark: chain('quireWatermark', [
      read(`${folder}/a.pdf`),
      quire('Mark', {
        resource: 'security',
        operation: 'addWatermark',
        watermarkType: 'text',
        watermarkText: 'DRAFT',
        options: { fontSize: 40 },
      }),
      write(`${folder}/marked.pdf`),
    ]),
    job: chain('quireJob', [
      read(`${folder}/a.pdf`),
      quire('Begin', { ...rotate, runAs: 'start' }),
      { name: 'Wait', type: 'n8n-nodes-base.wait', typeVersion: 1.1, parameters: { amount: 3, unit: 'seconds' } },
      quire('Get', { resource: 'job', operation: 'getResult', jobId: '={{ $json.jobId }}' }),
      write(`${folder}/job.pdf`),
    ]),
    split: chain('quireSplit', [
      read(`${folder}/a.pdf`),
      quire('Split', {
        resource: 'general',
        operation: 'splitPages',
        options: { pageNumbers: 'all' },
        severalFiles: 'items',
      }),
      write(`={{ "${folder}/page-" + $itemIndex + ".pdf" }}`),
    ]),
    json: chain('quireJson', [
      read(`${folder}/a.pdf`),
      quire('Count', { resource: 'analysis', operation: 'countPages' }),
    ]),
    error: chain('quireError', [read(`${folder}/a.pdf`), quire('Fail', { ...rotate, options: { angle: 45 } })]),
    continued: chain('quireContinued', [
      read(`${folder}/a.pdf`),
      quire('Fail', { ...rotate, options: { angle: 45 } }, 'continueRegularOutput'),
    ]),
  };
}
