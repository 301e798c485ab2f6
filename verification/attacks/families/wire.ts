import { boundary, field, file, formBody, formType } from '../../../test/http/support/client.js';
import type { Attack, Battlefield } from '../attack.js';
import { baseForms } from '../base-forms.js';

const TARGETS = ['/api/v1/info/status', '/api/v1/general/rotate-pdf', '/api/v1/auth/login', '/api/v1/admin/settings'];
const HOST = 'Host: 127.0.0.1';
const METHODS = [
  'TRACE',
  'CONNECT',
  'PROPFIND',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'HEAD',
  'GET',
  'PUT',
  'M-SEARCH',
  'FOO',
  'get',
];
const SECOND = `GET /api/v1/admin/settings HTTP/1.1\r\n${HOST}\r\nX-Smuggled: yes\r\n\r\n`;

/** Requests that HTTP libraries do not send: smuggling, lies about length and type, broken heads, odd methods. */
export function wireAttacks(battlefield: Battlefield): Attack[] {
  const lengths: readonly (readonly [string, (path: string) => string])[] = [
    [
      'both lengths',
      (path) =>
        `POST ${path} HTTP/1.1\r\n${HOST}\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SECOND}`,
    ],
    [
      'two lengths',
      (path) =>
        `POST ${path} HTTP/1.1\r\n${HOST}\r\nContent-Length: 0\r\nContent-Length: ${SECOND.length}\r\n\r\n${SECOND}`,
    ],
    [
      'a list of lengths',
      (path) => `POST ${path} HTTP/1.1\r\n${HOST}\r\nContent-Length: 0, ${SECOND.length}\r\n\r\n${SECOND}`,
    ],
    ['a negative length', (path) => `POST ${path} HTTP/1.1\r\n${HOST}\r\nContent-Length: -1\r\n\r\nx`],
    ['a length in hexadecimal', (path) => `POST ${path} HTTP/1.1\r\n${HOST}\r\nContent-Length: 0x5\r\n\r\nhello`],
    ['a length with a sign', (path) => `POST ${path} HTTP/1.1\r\n${HOST}\r\nContent-Length: +5\r\n\r\nhello`],
    [
      'an endless length',
      (path) => `POST ${path} HTTP/1.1\r\n${HOST}\r\nContent-Length: 99999999999999999999\r\n\r\nx`,
    ],
    [
      'an unknown transfer encoding',
      (path) => `POST ${path} HTTP/1.1\r\n${HOST}\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${SECOND}`,
    ],
    [
      'chunked that is not last',
      (path) => `POST ${path} HTTP/1.1\r\n${HOST}\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${SECOND}`,
    ],
    [
      'a blank before the colon',
      (path) =>
        `POST ${path} HTTP/1.1\r\n${HOST}\r\nTransfer-Encoding : chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${SECOND}`,
    ],
    [
      'a chunk of half of memory',
      (path) => `POST ${path} HTTP/1.1\r\n${HOST}\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffff\r\nx`,
    ],
    [
      'a chunk extension with lines',
      (path) => `POST ${path} HTTP/1.1\r\n${HOST}\r\nTransfer-Encoding: chunked\r\n\r\n0;a=b\nX: y\r\n\r\n${SECOND}`,
    ],
    [
      'trailers that are headers',
      (path) =>
        `POST ${path} HTTP/1.1\r\n${HOST}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-API-KEY: x\r\nContent-Length: 9\r\n\r\n`,
    ],
    ['a folded header', (path) => `GET ${path} HTTP/1.1\r\n${HOST}\r\nX-A: b\r\n c\r\n\r\n`],
    [
      'lines that end with a line feed',
      (path) => `GET ${path} HTTP/1.1\n${HOST}\nTransfer-Encoding: chunked\n\n0\n\n${SECOND}`,
    ],
    ['a header with a zero byte', (path) => `GET ${path} HTTP/1.1\r\n${HOST}\r\nX-A: b\0c\r\n\r\n`],
    ['no host', (path) => `GET ${path} HTTP/1.1\r\n\r\n`],
    ['two hosts', (path) => `GET ${path} HTTP/1.1\r\n${HOST}\r\nHost: evil.test\r\n\r\n`],
    ['a host with a path', (path) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1/x?y@evil.test\r\n\r\n`],
    ['an absolute address', (path) => `GET http://evil.test${path} HTTP/1.1\r\n${HOST}\r\n\r\n`],
    ['another protocol', (path) => `GET ${path} HTTP/9.9\r\n${HOST}\r\n\r\n`],
    ['HTTP/2 without TLS', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    [
      'an upgrade',
      (path) =>
        `GET ${path} HTTP/1.1\r\n${HOST}\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n`,
    ],
    [
      'a websocket',
      (path) =>
        `GET ${path} HTTP/1.1\r\n${HOST}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n\r\n`,
    ],
    ['ten thousand headers', (path) => `GET ${path} HTTP/1.1\r\n${HOST}\r\n${'X-A: b\r\n'.repeat(10_000)}\r\n`],
    ['a header of a megabyte', (path) => `GET ${path} HTTP/1.1\r\n${HOST}\r\nX-A: ${'b'.repeat(1_000_000)}\r\n\r\n`],
    ['an address of a megabyte', (path) => `GET ${path}?${'a'.repeat(1_000_000)} HTTP/1.1\r\n${HOST}\r\n\r\n`],
    ['five hundred requests at once', (path) => `GET ${path} HTTP/1.1\r\n${HOST}\r\n\r\n`.repeat(500)],
    [
      'headers that name another address',
      (path) =>
        `GET ${path} HTTP/1.1\r\n${HOST}\r\nX-Original-URL: /api/v1/admin/settings\r\nX-Rewrite-URL: /api/v1/admin/settings\r\nX-HTTP-Method-Override: PUT\r\nX-Forwarded-Host: evil.test\r\nForwarded: host=evil.test\r\n\r\n`,
    ],
    [
      'accepted encodings without end',
      (path) =>
        `GET ${path} HTTP/1.1\r\n${HOST}\r\nAccept-Encoding: ${'gzip;q=0.1,'.repeat(700)}\r\nAccept-Language: ${'de;q=0.1,'.repeat(100)}\r\n\r\n`,
    ],
    [
      'ranges without end',
      (path) => `GET ${path} HTTP/1.1\r\n${HOST}\r\nRange: bytes=${'0-1,'.repeat(1500)}0-1\r\n\r\n`,
    ],
    ['cookies without end', (path) => `GET ${path} HTTP/1.1\r\n${HOST}\r\nCookie: ${'a=b; '.repeat(1500)}\r\n\r\n`],
    [
      'preferences without end',
      (path) =>
        `POST ${path} HTTP/1.1\r\n${HOST}\r\nPrefer: ${'wait=1, '.repeat(1000)}x="${'\\'.repeat(2000)}"\r\nContent-Length: 0\r\n\r\n`,
    ],
    ['bytes that are not HTTP', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ];
  const odd = TARGETS.flatMap((path) => [
    ...lengths.map(([title, text]) => wire(`${path}: ${title}`, path, text(path))),
    ...METHODS.map((method) =>
      wire(`${path}: the method ${method}`, path, `${method} ${path} HTTP/1.1\r\n${HOST}\r\nContent-Length: 0\r\n\r\n`),
    ),
  ]);
  return [...odd, ...contentAttacks(battlefield)];
}

function wire(title: string, path: string, text: string): Attack {
  return {
    family: 'HTTP',
    title,
    method: text.split(' ')[0] ?? '',
    path,
    caller: 'nobody',
    wire: () => [Buffer.from(text, 'latin1')],
    sent: ['evil.test'],
  };
}

/** Bodies whose type is not what the header says, for each form. */
function contentAttacks(battlefield: Battlefield): Attack[] {
  const types: readonly (readonly [string, string, (form: Buffer) => Buffer])[] = [
    ['JSON', 'application/json', () => Buffer.from('{"fileInput":"x"}')],
    ['XML', 'application/xml', () => Buffer.from('<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>')],
    ['a form without a boundary', 'multipart/form-data', (form) => form],
    ['a boundary of 5,000 characters', `multipart/form-data; boundary=${'b'.repeat(5000)}`, (form) => form],
    ['an empty boundary', 'multipart/form-data; boundary=""', (form) => form],
    ['another boundary', 'multipart/form-data; boundary=other', (form) => form],
    ['a form that ends early', formType, (form) => form.subarray(0, Math.floor(form.length / 2))],
    ['parts in parts', formType, (form) => formBody([{ name: 'x', file: form, fileName: 'x' }])],
    ['a compressed body', formType, () => Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])],
    ['ten thousand empty parts', formType, () => Buffer.from(`--${boundary}\r\n\r\n\r\n`.repeat(10_000))],
    ['no line ends', formType, () => Buffer.from(`--${boundary}${'x'.repeat(200_000)}`)],
    ['only line ends', formType, () => Buffer.from('\r\n'.repeat(200_000))],
    ['multipart/mixed', formType.replace('form-data', 'mixed'), (form) => form],
    ['a type in UTF-16', 'multipart/form-data; charset=utf-16; boundary=x', (form) => form],
    ['two types', `application/json, ${formType}`, (form) => form],
  ];
  let next = 0;
  return baseForms(battlefield).flatMap((form) =>
    Array.from({ length: 2 }, () => {
      const [title, type, body] = types[next++ % types.length] ?? ['', '', (bytes: Buffer) => bytes];
      return {
        family: 'HTTP',
        title: `${form.call.name}: ${title}`,
        method: form.call.method,
        path: form.call.path.replaceAll(/\{\w+\}/g, 'x'),
        caller: 'user' as const,
        headers: { 'content-type': type, ...(title === 'a compressed body' ? { 'content-encoding': 'gzip' } : {}) },
        body: () => body(formBody([...form.parts.slice(0, 1), field('x', 'y'), file(Buffer.from('x'), 'x')])),
        call: form.call.described,
      };
    }),
  );
}
