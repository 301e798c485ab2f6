import { defineEndpoint, OperationalError, tokens } from '@quire/registry';
import { modelService } from '../services/model-service.js';

/** Asks for a plan of what is to be done to PDFs (`docs/interface/ai.yml`, pdf/edit). */
export const pdfEdit = defineEndpoint({
  id: 'planPdfEdit',
  method: 'POST',
  path: 'ai/pdf/edit',
  since: '0.2.0',
  summary: 'Plan the steps of an edit',
  notes: [
    'With a model (`aiEngine.models`): `user_message` is the request; `conversation_history` (`[{role, ' +
      'content}]`) and `file_names` are optional. The answer is ' +
      '`{"outcome":"plan","summary","steps":[{"operation","parameters"}]}` with checked steps that can be sent ' +
      'to `/api/v1/pipeline/handleData`, or `need_clarification` with `question`, or `cannot_do` with `reason`. ' +
      'Nothing is run.',
    'With a separate engine (`aiEngine.url`): the body goes to its `/api/v1/pdf/edit`, and its answer comes ' +
      'back, with its status where that is 4xx. `enabled_endpoints` is always what this server offers the ' +
      'caller, whatever was sent.',
  ].join('\n\n'),
  tag: 'ai',
  access: { cost: 1 },
  request: {
    payload: (joi) =>
      joi
        .object({
          user_message: joi.string().allow(null).description('The request').example('Turn all pages to the right'),
        })
        .unknown(true)
        .example({ user_message: 'Turn all pages to the right' }),
  },
  returns: {
    description: 'The plan',
    json: (joi) =>
      joi
        .object({
          outcome: joi.string().description('`plan`, `need_clarification`, `cannot_do`, or what an engine says'),
          summary: joi.string().allow('', null),
          question: joi.string().allow('', null),
          reason: joi.string().allow('', null),
          steps: joi
            .array()
            .items(joi.object({ operation: joi.string(), parameters: joi.object().unknown(true) }).unknown(true)),
        })
        .unknown(true)
        .label('EditPlan'),
  },
  errors: [
    'INPUT_INVALID',
    'INPUT_MALFORMED',
    'INPUT_TEXT_TOO_LONG',
    'SERVICE_NOT_SET_UP',
    'REMOTE_ANSWER',
    'REMOTE_BUSY',
    'REMOTE_TIMEOUT',
  ],
  handle: async ({ payload, principal, signal }, ctx) => {
    const [model, service, runs] = [ctx.use(tokens.languageModel), ctx.use(modelService), ctx.use(tokens.pipelineRuns)];
    if (!model.usable('chat'))
      throw new OperationalError('SERVICE_NOT_SET_UP', {
        service: 'chat',
        detail: 'aiEngine.enabled or aiEngine.features.chat is false',
      });
    const operations = runs
      .operations(principal)
      .filter(({ accepts }) => accepts.some((kind) => kind === 'pdf' || kind === 'any'));
    if (service.engine)
      return service.post(
        '/api/v1/pdf/edit',
        { ...payload, enabled_endpoints: operations.map(({ operation }) => operation) },
        principal.id,
        signal,
      );
    const { planEdit, readEditRequest } = await import('../functions/edit/plan-edit.js');
    return {
      json: await planEdit(readEditRequest(payload), {
        operations,
        ask: (question) => model.ask(question, signal, principal),
        check: (steps) => runs.check(steps, principal),
      }),
    };
  },
});
