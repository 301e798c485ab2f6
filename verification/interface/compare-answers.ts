import { compareEnum, compareType } from './compare-fields.js';
import type { Difference } from './compare.js';
import type { ContractAnswer, ContractCall } from './contract-calls.js';
import { schemasAt, type Served, type ServedCall } from './served-calls.js';

type Found = Omit<Difference, 'call'>;

/** Compares the answers of a call: status, media types, file names, JSON members, and the statuses of errors. */
export function compareAnswer({ answer, statuses }: ContractCall, one: ServedCall, served: Served): Found[] {
  return [
    ...(answer === undefined ? [] : [...compareSuccess(answer, one), ...compareMembers(answer, one, served)]),
    ...statuses
      .filter((status) => !one.statuses.has(status))
      .map((status): Found => ({
        kind: 'error-status',
        subject: String(status),
        contract: 'answered',
        served: 'not declared',
      })),
  ];
}

function compareSuccess({ status, mediaTypes, fileNames }: ContractAnswer, one: ServedCall): Found[] {
  const lacking = mediaTypes.filter((type) => !one.content.has(type));
  const names = fileNames.filter((name) => !one.fileNames.includes(name));
  return [
    ...(status === undefined || one.statuses.has(status)
      ? []
      : [{ kind: 'success-status', subject: String(status), contract: 'answered', served: 'not declared' } as const]),
    ...lacking.map((type): Found => ({
      kind: 'media-type',
      subject: type,
      contract: type,
      served: [...one.content.keys()].join(', ') || 'no body',
    })),
    ...names.map((name): Found => ({
      kind: 'file-name',
      subject: name,
      contract: name,
      served: one.fileNames.join(', ') || `${one.fileNames.join(', ') || 'not documented'}`,
    })),
  ];
}

function compareMembers({ members }: ContractAnswer, one: ServedCall, served: Served): Found[] {
  const json = one.content.get('application/json');
  if (json === undefined) return [];
  return [...members.values()].flatMap(({ name, type, enum: allowed }): Found[] => {
    const schemas = schemasAt(json, name, served);
    if (schemas.length === 0) return [{ kind: 'member', subject: name, contract: type.type, served: 'not documented' }];
    return [
      ...compareType(name, type, schemas, 'member-type'),
      ...compareEnum(name, allowed, schemas, served, 'member-enum'),
    ];
  });
}
