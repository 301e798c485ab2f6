/** A mail as its reader sees it. */
export interface ReadMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Decodes a mail with a text and an HTML part (RFC 2045 to 2047), as nodemailer writes it. */
export function readMail(data: string): ReadMail {
  const [head = '', ...body] = data.split('\r\n\r\n');
  const boundary = /boundary="([^"]+)"/.exec(head)?.[1] ?? '';
  const parts = body.join('\r\n\r\n').split(`--${boundary}`);
  return { subject: subjectOf(head), text: partOf(parts, 'text/plain'), html: partOf(parts, 'text/html') };
}

function subjectOf(head: string): string {
  const folded = /^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(head)?.[1] ?? '';
  return folded
    .replace(/\?=\r\n[ \t]=\?/g, '?==?')
    .replace(/\r\n/g, '')
    .replace(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_, encoding: string, words: string) =>
      encoding.toUpperCase() === 'B'
        ? Buffer.from(words, 'base64').toString('latin1')
        : unquoted(words.replaceAll('_', ' ')),
    )
    .replace(/[^]*/, (bytes) => Buffer.from(bytes, 'latin1').toString('utf8'));
}

function partOf(parts: readonly string[], type: string): string {
  const [head = '', ...body] = (parts.find((part) => part.includes(`Content-Type: ${type}`)) ?? '').split('\r\n\r\n');
  const content = body.join('\r\n\r\n');
  const encoding = /^Content-Transfer-Encoding: (\S+)/im.exec(head)?.[1] ?? '7bit';
  if (encoding === 'base64') return Buffer.from(content, 'base64').toString('utf8');
  return Buffer.from(encoding === 'quoted-printable' ? unquoted(content) : content, 'latin1').toString('utf8');
}

/** The bytes of a quoted-printable text, one in each character. */
function unquoted(text: string): string {
  return text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
