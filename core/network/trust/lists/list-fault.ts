/** A fault of a list; the message is a clause ("the list is not well-formed XML"). */
export class ListFault extends Error {
  override readonly name = 'ListFault';
}
