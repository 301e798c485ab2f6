import { field, file, formBody, formType, type Part } from '../../../test/http/support/client.js';
import type { Attack, Battlefield } from '../attack.js';
import { baseForms } from '../base-forms.js';
import { meaningfulTexts, travellingNames } from '../hostile-texts.js';

const RUN = '/api/v1/pipeline/handleData';
const VALIDATE = '/api/v1/pipeline/validate';

/** Definitions of pipelines that name other addresses, repeat themselves, or are too large. */
export function pipelineAttacks(battlefield: Battlefield): Attack[] {
  const { secretFile, dropFolder, listener, document } = battlefield;
  const step = (operation: unknown, parameters: unknown = {}): object => ({ operation, parameters });
  const rotate = '/api/v1/general/rotate-pdf';
  const others = Object.keys(document.paths).filter((path) => /admin|user|auth|actuator|job|storage/.test(path));
  const operations = [
    ...travellingNames(secretFile, dropFolder),
    ...meaningfulTexts(secretFile, dropFolder),
    `${listener}/api/v1/general/rotate-pdf`,
    '//127.0.0.1/api/v1/general/rotate-pdf',
    RUN,
    VALIDATE,
    '/api/v1/general/../admin/settings',
    '/api/v1/general/rotate-pdf?async=true&callbackUrl=http://127.0.0.1/',
    ...others,
  ];
  const definitions: readonly (readonly [string, () => string])[] = [
    ...operations.map(
      (operation) =>
        [
          `a step ${operation.slice(0, 60)}`,
          () => JSON.stringify({ pipeline: [step(operation, { angle: 90 })] }),
        ] as const,
    ),
    [
      'ten thousand steps',
      () => JSON.stringify({ pipeline: Array.from({ length: 10_000 }, () => step(rotate, { angle: 90 })) }),
    ],
    [
      'parameters 20,000 deep',
      () => `{"pipeline":[{"operation":"${rotate}","parameters":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}]}`,
    ],
    [
      'a hundred thousand parameters',
      () =>
        JSON.stringify({
          pipeline: [step(rotate, Object.fromEntries(Array.from({ length: 100_000 }, (_u, i) => [`p${i}`, i])))],
        }),
    ],
    [
      'members of every object',
      () =>
        `{"pipeline":[{"operation":"${rotate}","parameters":{"__proto__":{"angle":90},"constructor":1,"angle":90}}],"__proto__":{"x":1}}`,
    ],
    ['no list', () => '{"pipeline":{"length":1e9}}'],
    ['steps that are not objects', () => '{"pipeline":[1,null,"x",[],true]}'],
    [
      'a name that leads elsewhere',
      () =>
        JSON.stringify({
          name: '../../x',
          pipeline: [step(rotate, { angle: 90 })],
          outputDir: secretFile,
          outputFileName: `../../../..${dropFolder}/PWNED-output`,
        }),
    ],
    ['half a definition', () => '{"pipeline":['],
  ];
  const [form] = baseForms(battlefield).filter(({ call }) => call.name === rotate);
  const upload: Part[] = (form?.parts ?? []).filter((part) => part.file !== undefined);
  return definitions.flatMap(([title, definition]) =>
    [RUN, VALIDATE].map((path) => ({
      family: 'pipelines',
      title: `${path}: ${title}`,
      method: 'POST',
      path,
      caller: 'user' as const,
      headers: { 'content-type': formType },
      body: () => formBody([field('json', definition()), ...(path === RUN ? upload : [])]),
      sent: [definition().slice(0, 2000)],
      ...(document.paths[path]?.['post'] === undefined ? {} : { call: document.paths[path]['post'] }),
    })),
  );
}

/** Samples are for everybody; clearing what is not there is a success (`docs/interface/convert.yml`). */
const HARMLESS = /\/console\/samples\/|\/text-editor\/clear-cache\//;

/** Things of other users, by their ids, in every call and field that takes one. */
export function foreignAttacks(battlefield: Battlefield): Attack[] {
  const { foreign, document } = battlefield;
  const ids: Readonly<Record<string, string>> = {
    jobId: foreign.jobId,
    fileId: foreign.storedFileId,
    documentId: foreign.jobFileId,
    folderId: foreign.folderId,
    signatureId: foreign.signatureId,
    sessionId: foreign.sessionId,
    username: foreign.username,
    fileName: `${foreign.username}.png`,
  };
  const inPaths = Object.entries(document.paths).flatMap(([name, methods]) =>
    Object.entries(methods).flatMap(([method, call]): Attack[] => {
      const parameters = [...name.matchAll(/\{(\w+)\}/g)].map(([, key = '']) => key);
      if (parameters.length === 0 || call.security?.length === 0) return [];
      const valueOf = (key: string): string => {
        if (key === 'id')
          return name.includes('integrations')
            ? foreign.connectionId
            : name.includes('api-keys')
              ? foreign.keyId
              : foreign.sessionId;
        if (key === 'fileId' && name.includes('/general/files/')) return foreign.jobFileId;
        return ids[key] ?? '1';
      };
      return [
        {
          family: "other users' things",
          title: `${method.toUpperCase()} ${name}`,
          method: method.toUpperCase(),
          path: name.replaceAll(/\{(\w+)\}/g, (_whole, key: string) => encodeURIComponent(valueOf(key))),
          caller: 'user',
          call,
          mustBeRefused: !HARMLESS.test(name),
          ...(method === 'get'
            ? {}
            : { headers: { 'content-type': 'application/json' }, body: () => Buffer.from('{}') }),
        },
      ];
    }),
  );
  const inForms = baseForms(battlefield)
    .filter(({ fields }) => fields.some(({ name }) => name === 'fileId'))
    .flatMap((form) =>
      [foreign.jobFileId, foreign.storedFileId].map((id): Attack => ({
        family: "other users' things",
        title: `${form.call.name} with the file ${id}`,
        method: 'POST',
        path: form.call.path,
        caller: 'user',
        headers: { 'content-type': formType },
        body: () => formBody([...form.parts.filter(({ name }) => name !== 'fileInput'), field('fileId', id)]),
        call: form.call.described,
        mustBeRefused: true,
      })),
    );
  return [...inPaths, ...inForms, uploadInPlace(foreign.storedFileId)];
}

function uploadInPlace(id: string): Attack {
  return {
    family: "other users' things",
    title: 'a stored file is replaced',
    method: 'PUT',
    path: `/api/v1/storage/files/${id}`,
    caller: 'user',
    headers: { 'content-type': formType },
    body: () => formBody([file(Buffer.from('replaced'), 'a.txt', 'file')]),
    mustBeRefused: true,
  };
}
