import { crookedUrls, innerHosts } from '../../../test/fixtures/inner-addresses.js';
import { field, formBody, formType } from '../../../test/http/support/client.js';
import type { Attack, Battlefield } from '../attack.js';
import { baseForms, type BaseForm, withField } from '../base-forms.js';

/** Addresses of this machine and of inner networks in every spelling, wherever the server calls an address. */
export function addressAttacks(battlefield: Battlefield): Attack[] {
  const port = Number(new URL(battlefield.listener).port);
  const addresses = [
    ...innerHosts.map((host) => `http://${host}:${port}/x`),
    ...innerHosts.slice(0, 8).map((host) => `https://${host}/`),
    ...crookedUrls(port),
    `http://example.com@127.0.0.1:${port}/`,
    `http://127.0.0.1:${port}#@example.com/`,
    `http://[::ffff:7f00:1]:${port}/`,
    `http://0:${port}/`,
    `http://127.1:${port}/`,
    `http://2130706433:${port}/`,
    `http://0x7f000001:${port}/`,
    `http://0177.0.0.1:${port}/`,
    `http://localhost.:${port}/`,
    `http://rebind.localhost:${port}/`,
  ];
  const forms = baseForms(battlefield);
  const find = (name: string): BaseForm | undefined => forms.find(({ call }) => call.name === `/api/v1/${name}`);
  const called: readonly (readonly [string, string])[] = [
    ['convert/url/pdf', 'urlInput'],
    ['security/timestamp-pdf', 'tsaUrl'],
    ['general/rotate-pdf', 'callbackUrl'],
  ];
  return [
    ...called.flatMap(([name, key]) => {
      const form = find(name);
      return form === undefined ? [] : addresses.map((address) => inForm(form, key, address));
    }),
    ...addresses.map((address) => connection(address)),
  ];
}

function inForm({ call, parts }: BaseForm, key: string, address: string): Attack {
  const whole =
    key === 'callbackUrl'
      ? [...withField(parts, key, address), field('async', 'true')]
      : withField(parts, key, address);
  return {
    family: 'addresses',
    title: `${call.name}: ${key} is ${address.slice(0, 60)}`,
    method: 'POST',
    path: call.path,
    caller: 'user',
    headers: { 'content-type': formType },
    body: () => formBody(whole),
    sent: [address],
    call: call.described,
    mustBeRefused: true,
  };
}

function connection(address: string): Attack {
  const body = { integrationType: 'API', name: 'x', config: { timeoutSeconds: 5, baseUrl: address } };
  return {
    family: 'addresses',
    title: `a connection to ${address.slice(0, 60)}`,
    method: 'POST',
    path: '/api/v1/integrations',
    caller: 'administrator',
    headers: { 'content-type': 'application/json' },
    body: () => Buffer.from(JSON.stringify(body)),
    sent: [address],
    mustBeRefused: true,
  };
}
