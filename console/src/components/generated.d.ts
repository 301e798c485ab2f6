/** Written by the build (`build/icons.ts`), after the compiler has run in a new clone. */
declare module '*/.generated/icon-names.json' {
  const names: readonly string[];
  export default names;
}
