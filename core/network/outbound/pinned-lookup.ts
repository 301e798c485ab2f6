import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { TargetRules } from './target-rules.js';

/** Resolves names; tests put their own in. */
export type Resolve = (host: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;

/** As the operating system resolves names: hosts file and DNS. */
export const systemResolve: Resolve = (host) =>
  new Promise((resolve, reject) => {
    systemLookup(host, { all: true, verbatim: true }, (error, addresses) =>
      error === null ? resolve(addresses) : reject(error),
    );
  });

/** The address of a name is not one to which calls may go. */
export class RefusedAddress extends Error {}

/**
 * A look-up for sockets that gives only addresses the rules allow. The socket connects to what was checked here, so a
 * name server that answers otherwise the next time changes nothing. One address that is not allowed refuses the name:
 * such a name is meant to lead astray.
 */
export function pinnedLookup(rules: TargetRules, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    const host = hostname.replace(/\.$/, '').toLowerCase();
    resolve(hostname)
      .then((found) => {
        const astray = found.find(({ address }) => !rules.mayConnect(host, address));
        if (astray !== undefined)
          throw new RefusedAddress(`${host} leads to ${astray.address}, which is not on the public internet`);
        const wanted =
          options.family === 4 || options.family === 6
            ? found.filter(({ family }) => family === options.family)
            : found;
        const [first] = wanted;
        if (first === undefined) throw Object.assign(new Error(`no address of ${host}`), { code: 'ENOTFOUND' });
        if (options.all === true)
          callback(
            null,
            wanted.map((one) => ({ ...one })),
          );
        else callback(null, first.address, first.family);
      })
      .catch((error: unknown) => callback(error as NodeJS.ErrnoException, '', 4));
  };
}
