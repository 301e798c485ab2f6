/** Maximum number of recipients per message. */
const MAX_RECIPIENTS = 50;

/**
 * Characters of an address: those of RFC 5322, 3.2.3, and those beyond ASCII (RFC 6531); no spaces and nothing that
 * could end a header or start another.
 */
const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\u00a1-\\u1fff\\u3000-\\ufdef-]+";
const label =
  '[A-Za-z0-9\\u00a1-\\u1fff\\u3000-\\ufdef](?:[A-Za-z0-9\\u00a1-\\u1fff\\u3000-\\ufdef-]{0,' +
  '61}[A-Za-z0-9\\u00a1-\\u1fff\\u3000-\\ufdef])?';
const address = new RegExp(`^(?=[^@]{1,64}@)${atom}(?:\\.${atom})*@(?=.{1,255}$)${label}(?:\\.${label})*$`, 'u');

/**
 * Parses email addresses without display names, separated by commas or semicolons (RFC 5321, 4.1.2; dot-atoms only),
 * and removes duplicates. Returns the fault if the text is invalid.
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
  if (addresses.length === 0) return { fault: 'has no email address' };
  if (addresses.length > MAX_RECIPIENTS)
    return { fault: `has ${addresses.length} email addresses; at most ${MAX_RECIPIENTS} are allowed` };
  const wrong = addresses.find((each) => each.length > 320 || !address.test(each));
  return wrong === undefined
    ? { addresses }
    : { fault: `contains ${JSON.stringify(wrong.slice(0, 60))}, which is not an email address (name@example.org)` };
}
