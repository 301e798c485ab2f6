/** A service that is created after the services that call it. Call it to get the service. */
export interface Late<T> {
  (): T;
  provide(service: T): void;
}

/** Calling the result before `provide` throws an error with this name: the start-up order is wrong. */
export function late<T>(name: string): Late<T> {
  let provided: { readonly service: T } | undefined;
  const get = (): T => {
    if (provided === undefined) throw new Error(`${name} is used before createServer has created it`);
    return provided.service;
  };
  return Object.assign(get, { provide: (service: T) => void (provided = { service }) });
}
