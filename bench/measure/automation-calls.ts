/** A record that the server has created. */
export interface Sent {
  readonly id: string;
}

/** Calls an endpoint below `/api/v1` with JSON, and returns the JSON of the answer. Throws for an error. */
export async function sendJson<T>(url: string, method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${url}/api/v1/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text) as T;
}

/** Creates a record, for example a source or an automation. */
export function create(url: string, path: string, body: object): Promise<Sent> {
  return sendJson(url, 'POST', path, body);
}
