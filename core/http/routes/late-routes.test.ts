import { server as createHapi, type Server } from '@hapi/hapi';
import { expect } from 'chai';
import { LateRoutes } from './late-routes.js';

const paths = ['/', '/files/{id}', '/files/{id}/pages', '/files/list', '/files/deep/er/plain', '/other', '/{page}'];

/** A server whose routes answer with their own path; `made` lists them in the order in which Hapi got them. */
function lateServer(): { readonly hapi: Server; readonly routes: LateRoutes; readonly made: string[] } {
  const hapi = createHapi();
  const routes = new LateRoutes();
  const made: string[] = [];
  for (const path of paths)
    routes.add(hapi, path, () => {
      made.push(path);
      return { method: 'GET', path, handler: () => path };
    });
  hapi.ext('onRequest', (request, h) => {
    routes.ready(request.path);
    return h.continue;
  });
  return { hapi, routes, made };
}

const answerOf = async (hapi: Server, url: string): Promise<string> => (await hapi.inject(url)).payload;

describe('late routes', () => {
  it('answers each path as a server does that has all routes from the beginning', async () => {
    const plain = createHapi();
    for (const path of paths) plain.route({ method: 'GET', path, handler: () => path });
    const asked =
      '/ /files/7 /files/7/pages /files/list /files/deep/er/plain /other /else /none/such /files /files/ /files/7/ ' +
      '/FILES/7 /files/%6cist /files/../other // /other/x /oth%65r';
    for (const url of asked.split(' ')) {
      const { hapi } = lateServer();
      expect(await answerOf(hapi, url), url).to.equal(await answerOf(plain, url));
    }
  });

  it('makes a route for a request that it may match, once, and no other', async () => {
    const { hapi, made } = lateServer();
    await answerOf(hapi, '/other');
    await answerOf(hapi, '/other');
    expect(made).to.have.members(['/other', '/{page}']);
    await answerOf(hapi, '/files/list');
    expect(made).to.have.members(['/other', '/{page}', '/files/list', '/files/{id}', '/files/{id}/pages']);
  });

  it('makes none for paths without end that match nothing', async () => {
    const { hapi, made } = lateServer();
    expect((await hapi.inject(`/${'x/'.repeat(5000)}`)).statusCode).to.equal(404);
    expect(made).to.deep.equal(['/{page}']);
  });

  it('lists every declared route, whether Hapi has it or not', async () => {
    const { hapi, routes } = lateServer();
    await answerOf(hapi, '/other');
    expect(routes.declared().map(({ path }) => path)).to.deep.equal(paths);
  });
});
