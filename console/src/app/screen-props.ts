/** Parameters of a screen's address, by the names in its path. */
export type Params = Readonly<Record<string, string>>;
export interface ScreenProps {
  readonly params: Params;
}
