import type { Server, ServerRoute } from '@hapi/hapi';

interface LateRoute {
  /** The server as the plugin that declares the route sees it. */
  readonly server: Server;
  make(): ServerRoute;
}

/**
 * The routes of operations and endpoints. Hapi gets each when the first request comes that it may match, because Hapi
 * checks every route by a schema: making all of them took a sixth of a start, and most are never called.
 */
export class LateRoutes {
  readonly #all: LateRoute[] = [];
  /** Routes that Hapi does not have yet, by their path up to the first parameter. */
  readonly #waiting = new Map<string, LateRoute[]>();
  /** Most segments of such a beginning. */
  #deepest = 0;

  /** Adds a route whose path is plain segments and `{names}`; no other route may have the same method and path. */
  add(server: Server, path: string, make: () => ServerRoute): void {
    const route = { server, make };
    const head = literalHead(path);
    this.#all.push(route);
    this.#waiting.set(head, [...(this.#waiting.get(head) ?? []), route]);
    this.#deepest = Math.max(this.#deepest, head.split('/').length - 1);
  }

  /** Gives Hapi every route that this path may match. Call it before Hapi looks for one. */
  ready(path: string): void {
    let end = 0;
    for (let segments = 0; segments <= this.#deepest && end !== -1 && this.#waiting.size > 0; segments++) {
      this.#give(path.slice(0, end));
      end = path.indexOf('/', end + 1);
    }
    if (end === -1) this.#give(path);
  }

  /** Every route as it is declared. */
  declared(): ServerRoute[] {
    return this.#all.map(({ make }) => make());
  }

  #give(head: string): void {
    const routes = this.#waiting.get(head);
    if (routes === undefined) return;
    this.#waiting.delete(head);
    for (const { server, make } of routes) server.route(make());
  }
}

/** `/api/v1/job/{id}/result` has `/api/v1/job`. */
function literalHead(path: string): string {
  const parameter = path.indexOf('{');
  return parameter === -1 ? path : path.slice(0, path.lastIndexOf('/', parameter));
}
