/** A message or metadata that must not be used; the text is for administrators. */
export class SamlFault extends Error {
  override readonly name = 'SamlFault';
}
