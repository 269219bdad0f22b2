import { type Use, useChecks } from '../switching/index.js';
import { bodyOf } from './call.js';
import { type Routes, reply } from './route.js';

const idOf = ({ params }: { readonly params: Readonly<Record<string, string>> }) => params['id'] as string;

export const switchRoutes: Routes = Object.assign({}, ...(['faults', 'variants'] as const).map(routesOf));

function routesOf(kind: 'faults' | 'variants'): Routes {
  return {
    [`GET /${kind}`]: (_, { server }) => reply(server[kind].list()),
    [`PUT /${kind}/{id}`]: async (call, { server }) => reply(server[kind].use(idOf(call), await bodyOf<Use>(call, useChecks))),
    [`DELETE /${kind}/{id}`]: (call, { server }) => reply(server[kind].off(idOf(call))),
  };
}
