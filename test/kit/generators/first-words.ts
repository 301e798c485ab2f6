/**
 * First words of the names of calls in generated clients: verbs, `ocr`, and adverbs by which tools are known. Add the
 * verb that a new operation needs.
 */
export const firstWords: ReadonlySet<string> = new Set(
  (
    'accept add apply assemble audit auto begin call cancel change check chunk classify clean clear combine ' +
    'complete compress convert count create crop decompress delete deliver describe detect disable download draft ' +
    'edit embed enable end export extract fill filter finish flatten forget generate get import ingest invite ' +
    'label lay leave link list locate login logout make merge modify move ocr open orchestrate order outline ' +
    'overlay parse plan preview read rearrange redact refresh register remove rename render repair replace ' +
    'reprompt request reset restart restore resync retry revoke rotate run sanitize save scale search send set ' +
    'share show sign smart split start store stream style suggest switch timestamp try unlink unlock unshare ' +
    'update upload validate verify write'
  ).split(' '),
);
