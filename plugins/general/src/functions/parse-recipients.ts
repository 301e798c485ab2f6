/** Recipients of one mail at most. */
export const MAX_RECIPIENTS = 50;

/**
 * Letters of an address: those of RFC 5322, 3.2.3, and what is beyond ASCII (RFC 6531); neither blanks nor what could
 * end a header or begin another.
 */
const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\u00a1-\\u1fff\\u3000-\\ufdef-]+";
const label =
  '[A-Za-z0-9\\u00a1-\\u1fff\\u3000-\\ufdef](?:[A-Za-z0-9\\u00a1-\\u1fff\\u3000-\\ufdef-]{0,61}[A-Za-z0-9\\u00a1-\\u1fff\\u3000-\\ufdef])?';
const address = new RegExp(`^(?=[^@]{1,64}@)${atom}(?:\\.${atom})*@(?=.{1,255}$)${label}(?:\\.${label})*$`, 'u');

/**
 * Reads mail addresses without display names, with commas or semicolons between them (RFC 5321, 4.1.2; dot-atoms only),
 * each once. Gives what is wrong with the text where something is.
 */
export function parseRecipients(text: string): { readonly addresses: readonly string[] } | { readonly fault: string } {
  const addresses = [
    ...new Set(
      text
        .split(/[,;]/)
        .map((each) => each.trim())
        .filter((each) => each !== ''),
    ),
  ];
  if (addresses.length === 0) return { fault: 'holds no mail address' };
  if (addresses.length > MAX_RECIPIENTS)
    return { fault: `holds ${addresses.length} mail addresses; allowed are ${MAX_RECIPIENTS}` };
  const wrong = addresses.find((each) => each.length > 320 || !address.test(each));
  return wrong === undefined
    ? { addresses }
    : { fault: `holds ${JSON.stringify(wrong.slice(0, 60))}, which is no mail address (name@example.org)` };
}
