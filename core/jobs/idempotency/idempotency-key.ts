import { InputError } from '@quire/registry';

/**
 * Reads an Idempotency-Key (draft-ietf-httpapi-idempotency-key-header-07): 1 to 255 visible ASCII characters, either as
 * an RFC 9651 string or without quotes as most clients send it; both forms mean the same key. Returns undefined if
 * there is none. Throws IDEMPOTENCY_KEY_INVALID.
 */
export function idempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const key = text.startsWith('"')
    ? quoted(text)
    : /^[\x21-\x7e]*$/.test(text)
      ? text
      : refuse('contains spaces or characters that are not ASCII, or was sent twice');
  if (key.length < 1 || key.length > 255) refuse(`has ${key.length} characters`);
  return key;
}

/**
 * sf-string = DQUOTE *( unescaped / "%" / bs-escaped ) DQUOTE (RFC 9651, 3.3.3). Parameters after it have no meaning
 * and are rejected.
 */
function quoted(text: string): string {
  const [, inner] = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/.exec(text) ?? [];
  return inner === undefined
    ? refuse('begins with a quote but is not an RFC 9651 string')
    : inner.replace(/\\(.)/g, '$1');
}

function refuse(detail: string): never {
  throw new InputError('IDEMPOTENCY_KEY_INVALID', { detail });
}
