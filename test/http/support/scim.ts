import { expect } from 'chai';
import { json, send, type Answer } from './client.js';
import { startWithLogin, type Reachable } from './login.js';
import type { TestServer } from './server.js';

export const scimToken = 'the-token-of-the-identity-provider-0123456789';
export const userUrn = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const groupUrn = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const enterpriseUrn = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const patchUrn = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** A resource in an answer. */
export type Resource = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly meta: { readonly version: string; readonly location: string };
};

/** A list in an answer. */
export interface List {
  readonly totalResults: number;
  readonly startIndex: number;
  readonly itemsPerPage: number;
  readonly Resources: readonly Resource[];
}

/** Starts a server with login and SCIM. */
export function startWithScim(
  scim: Readonly<Record<string, unknown>> = {},
  security: Readonly<Record<string, unknown>> = {},
  more: Readonly<Record<string, unknown>> = {},
): Promise<TestServer> {
  return startWithLogin(security, { scim: { enabled: true, token: scimToken, ...scim }, ...more });
}

/** An identity provider that calls a server. */
export class ScimClient {
  constructor(private readonly server: Reachable) {}

  /** Sends a request as identity providers do. */
  send(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return send(`${this.server.url}/scim/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${scimToken}`,
        ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  }

  /** Sends a request that has to succeed with a resource. */
  async resource<T = Resource>(method: string, path: string, body?: unknown, status = 200): Promise<T> {
    const answer = await this.send(method, path, body);
    expect(answer.status, answer.body.toString()).to.equal(status);
    expect(answer.headers['content-type']).to.match(/^application\/scim\+json/);
    return json<T>(answer);
  }

  createUser(userName: string, more: Readonly<Record<string, unknown>> = {}): Promise<Resource> {
    return this.resource('POST', '/Users', { schemas: [userUrn], userName, ...more }, 201);
  }

  createGroup(displayName: string, memberIds: readonly string[] = []): Promise<Resource> {
    const members = memberIds.map((value) => ({ value }));
    return this.resource('POST', '/Groups', { schemas: [groupUrn], displayName, members }, 201);
  }

  patch(path: string, ...operations: readonly object[]): Promise<Resource> {
    return this.resource('PATCH', path, { schemas: [patchUrn], Operations: operations });
  }

  list(path: string, query: Readonly<Record<string, string>> = {}): Promise<List> {
    return this.resource<List>('GET', `${path}?${new URLSearchParams(query).toString()}`);
  }

  /** Returns the user names that a filter finds. */
  async names(filter: string): Promise<string[]> {
    return (await this.list('/Users', { filter })).Resources.map(({ userName }) => String(userName));
  }
}

/** Expects an error in the form of SCIM (RFC 7644, 3.12), and returns its text. */
export function expectScimError(answer: Answer, status: number, scimType?: string): string {
  const text = answer.body.toString();
  expect(answer.status, text).to.equal(status);
  expect(answer.headers['content-type']).to.match(/^application\/scim\+json/);
  const body = json<{ schemas: string[]; status: string; scimType?: string; detail: string }>(answer);
  expect(body.schemas).to.deep.equal(['urn:ietf:params:scim:api:messages:2.0:Error']);
  expect(body.status, 'a text').to.equal(String(status));
  expect(body.scimType, text).to.equal(scimType);
  return body.detail;
}
