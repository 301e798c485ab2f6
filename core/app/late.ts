/** A service that exists only after others that will call it. Call it to get the service. */
export interface Late<T> {
  (): T;
  provide(service: T): void;
}

/** Reading the service before `provide` throws an error with this name: that is a defect in the order of the start. */
export function late<T>(name: string): Late<T> {
  let provided: { readonly service: T } | undefined;
  const get = (): T => {
    if (provided === undefined) throw new Error(`${name} is used before createServer has created it`);
    return provided.service;
  };
  return Object.assign(get, { provide: (service: T) => void (provided = { service }) });
}
