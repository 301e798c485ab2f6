/** Removes characters that XML 1.0 cannot hold (2.2): other control characters and unpaired surrogates. */
export function xmlCharacters(text: string): string {
  return text
    .replaceAll(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '')
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');
}
