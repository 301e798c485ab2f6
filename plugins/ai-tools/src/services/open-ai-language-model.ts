import {
  DefectError,
  InputError,
  type LanguageModel,
  type ModelCaller,
  type Logger,
  modelSettings,
  type ModelQuestion,
  OperationalError,
  type Outbound,
  type SettingsReader,
} from '@quire/registry';
import type { OpenAI } from 'openai';
import { answerCheck, type AnswerCheck } from './check-answer.js';
import { failureOf } from './model-failures.js';
import {
  modelTarget,
  type ModelTarget,
  type ModelTier,
  modelTier,
  notSetUp,
  positive,
  REMOTE,
  userHeader,
} from './model-target.js';
import { openAiClient, untilAborted } from './open-ai-client.js';
import { Places } from './places.js';
import { type Message, promptOf, repairOf } from './prompt.js';
import { isStrict } from './strict-schema.js';

/**
 * How an answer is held to its form: by the service under the schema, as any JSON, or by words alone. Tried in this
 * order.
 */
type Form = 'json_schema' | 'json_object' | 'words';
const FORMS: readonly Form[] = ['json_schema', 'json_object', 'words'];
/** Statuses that services answer to an unknown `response_format`. */
const NOT_TAKEN: ReadonlySet<number> = new Set([400, 404, 415, 422, 501]);

export interface LanguageModelDeps {
  readonly settings: SettingsReader;
  readonly outbound: Outbound;
  readonly log: Logger;
}

/**
 * The language model behind any address that speaks OpenAI's protocol (`/chat/completions`). Settings are read at each
 * question. Logs hold no word of questions and answers.
 */
export class OpenAiLanguageModel implements LanguageModel {
  readonly #known: Pick<LanguageModel, 'usable' | 'limits'>;
  readonly #places: Places;
  /** The form that a model took, by address and name. */
  readonly #forms = new Map<string, Form>();

  constructor(private readonly deps: LanguageModelDeps) {
    this.#known = modelSettings(deps.settings);
    this.#places = new Places(() => positive(deps.settings, 'aiEngine.limits.modelMaxConcurrency'));
  }

  usable(...[feature]: Parameters<LanguageModel['usable']>): boolean {
    return this.#known.usable(feature);
  }

  get limits(): LanguageModel['limits'] {
    return this.#known.limits;
  }

  async ask(question: ModelQuestion, signal?: AbortSignal, caller?: ModelCaller): Promise<unknown> {
    const { settings } = this.deps;
    refuseBroken(question);
    if (!this.usable()) throw notSetUp('aiEngine.enabled is false');
    if (!this.usable(question.feature)) throw notSetUp(`aiEngine.features.${question.feature} is false`);
    const length = wordsOf(question);
    if (length > this.limits.characters)
      throw new InputError('INPUT_TEXT_TOO_LONG', { found: length, limit: this.limits.characters });
    const [target, tier, check] = [
      modelTarget(settings),
      modelTier(settings, question.tier),
      await answerCheck(question.answer.schema),
    ];
    const clock =
      tier.seconds === undefined ? undefined : AbortSignal.timeout(Math.min(tier.seconds * 1000, 2 ** 31 - 1));
    const ends = AbortSignal.any([signal, clock].filter((one) => one !== undefined));
    const begun = performance.now();
    try {
      return await this.#places.with(ends, () =>
        this.#answer(question, {
          target,
          tier,
          check,
          ends,
          headers: target.engine ? userHeader(caller?.id ?? '') : {},
        }),
      );
    } catch (error) {
      if (signal?.aborted === true) throw new OperationalError('CANCELLED', {}, { cause: error });
      if (clock?.aborted === true)
        throw new OperationalError('REMOTE_TIMEOUT', { remote: REMOTE, seconds: tier.seconds ?? 0 }, { cause: error });
      throw failureOf(error);
    } finally {
      this.deps.log.debug(
        {
          feature: question.feature,
          tier: question.tier,
          model: tier.model,
          characters: length,
          seconds: (performance.now() - begun) / 1000,
        },
        'asked the language model',
      );
    }
  }

  /** The first answer when it fits, else the second. */
  async #answer(question: ModelQuestion, call: Call): Promise<unknown> {
    const first = await this.#send(question, promptOf(question), call);
    const checked = call.check(first);
    if ('value' in checked) return checked.value;
    const second = call.check(
      await this.#send(
        question,
        [
          ...promptOf(question),
          ...repairOf(question, first, checked.fault, this.limits.characters - wordsOf(question)),
        ],
        call,
      ),
    );
    if ('value' in second) return second.value;
    this.deps.log.warn(
      { feature: question.feature, model: call.tier.model, answer: question.answer.name },
      'the language model answered twice what does not fit the schema',
    );
    throw new OperationalError('REMOTE_ANSWER', {
      remote: REMOTE,
      detail: 'twice with something else than what was asked for',
    });
  }

  /** Sends a prompt in the best form that the service takes, and gives the text of the answer. */
  async #send(question: ModelQuestion, messages: readonly Message[], call: Call): Promise<string> {
    const client = await openAiClient(call.target, this.deps.outbound, REMOTE);
    const name = `${call.target.base} ${call.tier.model}`;
    const known = this.#forms.get(name);
    for (const form of known === undefined ? FORMS : FORMS.slice(FORMS.indexOf(known))) {
      try {
        const text = textOf(
          await untilAborted(
            client.chat.completions.create(bodyOf(question, messages, call, form), {
              signal: call.ends,
              headers: call.headers,
            }),
            call.ends,
          ),
        );
        if (this.#forms.size > 100) this.#forms.clear();
        this.#forms.set(name, form);
        return text;
      } catch (error) {
        const status = (error as { status?: unknown }).status;
        if (form === 'words' || typeof status !== 'number' || !NOT_TAKEN.has(status)) throw error;
      }
    }
    throw new DefectError('CONTRACT_BROKEN', { detail: 'no form was tried' });
  }
}

interface Call {
  readonly target: ModelTarget;
  readonly tier: ModelTier;
  readonly check: AnswerCheck;
  readonly ends: AbortSignal;
  /** Of this question alone. */
  readonly headers: Readonly<Record<string, string>>;
}

function bodyOf(
  { answer: { name, schema } }: ModelQuestion,
  messages: readonly Message[],
  { target, tier }: Call,
  form: Form,
): OpenAI.ChatCompletionCreateParamsNonStreaming {
  return {
    model: tier.model,
    messages: [...messages],
    ...(tier.tokens === undefined ? {} : { [target.lengthField]: tier.tokens }),
    ...(form === 'json_schema'
      ? {
          response_format: {
            type: form,
            json_schema: { name, schema: schema as Record<string, unknown>, strict: isStrict(schema) },
          },
        }
      : {}),
    ...(form === 'json_object' ? { response_format: { type: form } } : {}),
  };
}

/**
 * Returns the text of an answer, empty if it has none. Throws REMOTE_ANSWER for a refusal and for an invalid answer.
 */
function textOf(completion: unknown): string {
  const refused = (detail: string): never => {
    throw new OperationalError('REMOTE_ANSWER', { remote: REMOTE, detail });
  };
  const choices = (completion as { choices?: unknown } | null)?.choices;
  const choice = (Array.isArray(choices) ? choices[0] : undefined) as
    | { message?: { content?: unknown; refusal?: unknown } | null; finish_reason?: unknown }
    | null
    | undefined;
  if (choice?.message === undefined || choice.message === null) return refused('with an invalid response');
  if (
    choice.finish_reason === 'content_filter' ||
    (typeof choice.message.refusal === 'string' && choice.message.refusal !== '')
  )
    return refused('with a refusal');
  return typeof choice.message.content === 'string' ? choice.message.content : '';
}

/** Counts the code units of a question: instructions, conversation and text. */
function wordsOf({ instructions, text, history = [] }: ModelQuestion): number {
  return history.reduce((sum, { content }) => sum + content.length, instructions.length + text.length);
}

/** Questions come from workers too, which are believed in nothing. */
function refuseBroken(question: ModelQuestion): void {
  const { feature, tier, instructions, text, history = [], answer } = (question ?? {}) as Partial<ModelQuestion>;
  const sound =
    typeof feature === 'string' &&
    /^[A-Za-z]{1,40}$/.test(feature) &&
    (tier === 'smart' || tier === 'fast') &&
    typeof instructions === 'string' &&
    typeof text === 'string' &&
    Array.isArray(history) &&
    history.every(
      (turn: unknown) =>
        ['user', 'assistant'].includes(String((turn as { role?: unknown } | null)?.role)) &&
        typeof (turn as { content?: unknown }).content === 'string',
    ) &&
    typeof answer?.name === 'string' &&
    /^[\w-]{1,64}$/.test(answer.name) &&
    typeof answer.schema === 'object' &&
    answer.schema !== null;
  if (!sound) throw new DefectError('CONTRACT_BROKEN', { detail: 'the question for the language model is invalid' });
}
