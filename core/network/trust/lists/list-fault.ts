/** What is wrong with a list: a clause ("the list is not well-formed XML"). */
export class ListFault extends Error {
  override readonly name = 'ListFault';
}
