import { resolve, type ApiDocument, type Link } from './api-document.js';
import { followLinks } from './follow-links.js';
import type { WalkRow } from './make-call.js';
import { plannedCalls, withGiven, type Given, type PlannedCall } from './planned-calls.js';

/** Calls that end the session, or the server, in an order in which all of them still work. */
const last = [
  '/api/v1/user/change-username',
  '/api/v1/user/change-password',
  '/api/v1/user/change-password-on-login',
  '/api/v1/auth/logout',
  '/api/v1/admin/settings/restart',
];

/** Returns true for a call that deletes what other calls need. */
const ends = ({ method, name }: PlannedCall): boolean =>
  method === 'DELETE' || /\/(?:delete|remove|revoke|clear|disable)[^/{]*(?:\/|$)/i.test(name);

/**
 * Makes every call for which the document has an example or a link, as a client would that has read only the document:
 * first calls without requirements, then those that answers link to (reads before changes), and last the deleting ones,
 * in reverse order of creation. Calls that cannot be made are returned with the reason.
 */
export async function walkThrough(
  document: ApiDocument,
  wanted: (call: PlannedCall) => boolean,
  make: (call: PlannedCall) => Promise<WalkRow>,
): Promise<WalkRow[]> {
  const sources = sourcesOf(document);
  const given = new Map<string, Given>();
  const order = new Map<string, number>();
  const rows: WalkRow[] = [];
  const waiting = plannedCalls(document).filter(wanted);
  const idOf = ({ described }: PlannedCall): string => described.operationId ?? '';
  const planned = (call: PlannedCall): PlannedCall =>
    withGiven(document, call, given.get(idOf(call)) ?? { parameters: {}, payload: {} });
  const ready = (call: PlannedCall): boolean => !last.includes(call.name) && planned(call).lacks === undefined;
  const next = (): PlannedCall | undefined =>
    waiting.find((call) => !ends(call) && call.method === 'GET' && given.has(idOf(call)) && ready(call)) ??
    waiting.find((call) => !ends(call) && ready(call) && (given.has(idOf(call)) || !sources.has(idOf(call)))) ??
    waiting.find((call) => !ends(call) && ready(call)) ??
    waiting
      .filter((call) => given.has(idOf(call)) && ready(call))
      .sort((a, b) => (order.get(idOf(b)) ?? 0) - (order.get(idOf(a)) ?? 0))[0] ??
    waiting.find(ready) ??
    last
      .map((name) => waiting.find((call) => call.name === name && planned(call).lacks === undefined))
      .find((call) => call !== undefined);
  for (let call = next(); call !== undefined; call = next()) {
    waiting.splice(waiting.indexOf(call), 1);
    const made = planned(call);
    const row = await make(made);
    rows.push(row);
    for (const [i, [id, values]] of [...followLinks(document, made, row)].entries()) {
      const had = given.get(id);
      given.set(id, {
        parameters: { ...values.parameters, ...had?.parameters },
        payload: { ...values.payload, ...had?.payload },
      });
      // Keeps the order of links within one answer.
      order.set(id, rows.length - i / 1000);
    }
  }
  return [
    ...rows,
    ...(await Promise.all(
      waiting.map(async (call) => {
        const row = await make(planned(call));
        const why = (sources.get(idOf(call)) ?? [])
          .map((id) => rows.find((one) => one.verdict !== 'well' && operationOf(document, one) === id))
          .find((one) => one !== undefined);
        if (!sources.has(idOf(call)))
          return {
            ...row,
            note: `${row.note}, which no answer to this caller returns: ${call.described.summary ?? ''}`,
          };
        const unmade = waiting.find((one) => (sources.get(idOf(call)) ?? []).includes(idOf(one)));
        if (why === undefined && unmade !== undefined)
          return {
            ...row,
            note:
              `${row.note}, which ${unmade.method} ${unmade.name} would return, but that call cannot be made ` +
              'either',
          };
        return why === undefined
          ? row
          : {
              ...row,
              note:
                `${row.note}, which ${why.method} ${why.name} would return: ` +
                `${why.code === '' ? why.note : why.code}`,
            };
      }),
    )),
  ];
}

/** Maps each linked call to the calls whose answers link to it. */
function sourcesOf(document: ApiDocument): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { operationId = '', responses } of Object.values(document.paths).flatMap((methods) =>
    Object.values(methods),
  )) {
    for (const link of Object.values(responses).flatMap(({ links }) => Object.values(links ?? {}))) {
      const to = resolve<Link>(document, link).operationId;
      found.set(to, [...(found.get(to) ?? []), operationId]);
    }
  }
  return found;
}

function operationOf(document: ApiDocument, { name, method }: WalkRow): string | undefined {
  return document.paths[name]?.[method.toLowerCase()]?.operationId;
}
