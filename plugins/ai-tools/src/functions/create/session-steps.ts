import { InputError } from '@quire/registry/errors';
import type { Ask } from '../model-use.js';
import { askDocument, outlineText } from './ask-document.js';
import type { DocumentModel } from './document-model.js';
import { fieldsOf, type OutlinePart, type SessionContent } from './session.js';

const OUTLINE_GUIDE =
  'You plan a document: its headings in their order, each with the points that are to stand under it, in the ' +
  'language of the request. At most 30 headings, at most 12 points each, in few words.';
const VALUES_GUIDE =
  'You are given a text and names of fields of a document. Find the value of each field in the text, as it is ' +
  'to stand in the document. Leave out fields whose value the text does not tell; invent none.\n\nThe fields:\n';
const MOST = { headings: 60, points: 40, characters: 2000, prompts: 50, value: 2000 } as const;

const outlineSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['outline'],
  properties: {
    outline: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['heading', 'points'],
        properties: { heading: { type: 'string' }, points: { type: 'array', items: { type: 'string' } } },
      },
    },
  },
};

/** The session with an outline of the model, which changes the one that is there. */
export async function planOutline(session: SessionContent, ask: Ask): Promise<SessionContent> {
  const text = session.outline === null ? '(nothing)' : `The outline as it is:\n${outlineText(session.outline)}`;
  const { outline } = (await ask({
    feature: 'createPdf',
    tier: 'fast',
    instructions: `${OUTLINE_GUIDE}\n\n${requestOf(session)}`,
    text,
    answer: { name: 'outline', schema: outlineSchema },
  })) as { readonly outline: readonly OutlinePart[] };
  return { ...session, outline: cleanOutline(outline) };
}

/**
 * The session with something more asked for: what there is of it is changed so, its document where it has one, else its
 * outline. Throws INPUT_INVALID for a request too many.
 */
export async function askAgain(session: SessionContent, prompt: string, ask: Ask): Promise<SessionContent> {
  if (session.prompts.length >= MOST.prompts)
    throw refused('prompt', `cannot be taken: a session has at most ${MOST.prompts} requests`);
  const more = { ...session, prompts: [...session.prompts, prompt] };
  if (session.document !== null)
    return {
      ...more,
      document: await askDocument(
        {
          request: `${requestOf(more)}\nChange it only as the last of these says.`,
          before: session.document,
          unknown: 'field',
        },
        ask,
      ),
    };
  return session.outline === null ? more : planOutline(more, ask);
}

/** The session with a document of the model, by its outline. */
export async function writeDocument(session: SessionContent, ask: Ask): Promise<SessionContent> {
  return {
    ...session,
    document: await askDocument(
      {
        request: requestOf(session),
        ...(session.outline === null ? {} : { outline: session.outline }),
        unknown: 'field',
      },
      ask,
    ),
  };
}

/**
 * Fills the fields of the session with given values and those that the model finds in a text. Throws INPUT_INVALID for
 * a session without a document and for unknown field names.
 */
export async function fillFields(
  session: SessionContent,
  given: Readonly<Record<string, string>>,
  text: string | undefined,
  ask: Ask,
): Promise<SessionContent> {
  const names = fieldsOf(session.document);
  if (session.document === null)
    throw new InputError('INPUT_INVALID', { detail: 'the session has no document yet; its step draft makes one' });
  const unknown = Object.keys(given).filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw refused(
      `values/${unknown[0] ?? ''}`,
      `is not a field of the document; its fields are ${names.length === 0 ? 'none' : names.join(', ')}`,
    );
  const found = text === undefined || names.length === 0 ? {} : await askValues(names, text, ask);
  return { ...session, values: { ...session.values, ...found, ...given } };
}

async function askValues(names: readonly string[], text: string, ask: Ask): Promise<Record<string, string>> {
  const schema = {
    type: 'object',
    additionalProperties: false,
    required: ['values'],
    properties: {
      values: {
        type: 'array',
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['name', 'value'],
          properties: { name: { type: 'string', enum: names }, value: { type: 'string' } },
        },
      },
    },
  };
  const { values } = (await ask({
    feature: 'createPdf',
    tier: 'fast',
    instructions: `${VALUES_GUIDE}${names.join('\n')}`,
    text,
    answer: { name: 'field_values', schema },
  })) as { readonly values: readonly { readonly name: string; readonly value: string }[] };
  return Object.fromEntries(
    values.flatMap(({ name, value }) => (value.trim() === '' ? [] : [[name, value.trim().slice(0, MOST.value)]])),
  );
}

/** An outline without what is empty or beyond its bounds. */
export function cleanOutline(outline: readonly OutlinePart[]): OutlinePart[] {
  const words = (text: string): string => text.trim().slice(0, MOST.characters);
  return outline
    .slice(0, MOST.headings)
    .map(({ heading, points }) => ({
      heading: words(heading),
      points: points
        .slice(0, MOST.points)
        .map(words)
        .filter((point) => point !== ''),
    }))
    .filter(({ heading, points }) => heading !== '' || points.length > 0);
}

/** A document without what a session keeps apart. */
export function ownDocument({ style: _style, ...document }: DocumentModel): DocumentModel {
  return document;
}

function requestOf({ prompts, documentType }: SessionContent): string {
  const kind = documentType === null ? '' : `Kind of document: ${documentType}\n`;
  if (prompts.length === 1) return `${kind}The request: ${prompts[0] ?? ''}`;
  return `${kind}The requests, one after the other:\n${prompts.map((prompt, i) => `${i + 1}. ${prompt}`).join('\n')}`;
}

function refused(field: string, detail: string): InputError {
  return new InputError('INPUT_INVALID', { detail: `"${field}" ${detail}` }, [{ pointer: `/${field}`, detail }]);
}
