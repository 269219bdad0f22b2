import { sandboxOnly } from './library-script.js';

interface Script {
  readonly listen: string;
  readonly script: { readonly exec: readonly string[] };
}

/** What is read here of a collection, or of a folder or request in it. */
export interface Item {
  readonly id?: string;
  readonly item?: readonly Item[];
  readonly event?: readonly Script[];
  readonly request?: object;
}

/**
 * Goes on to the first request whose own preparation does not skip it. A script can only skip its own request, so that a preparation that
 * runs for another request gets a `skipRequest` of its own.
 */
const goOn = `hydrauthGoOn = function (pm, from) {
  const { variables, collectionVariables, test } = pm;
  for (let at = from; at < hydrauthSteps.length; at += 1) {
    let skipped = false;
    hydrauthSteps[at].prepare({ variables, collectionVariables, test, execution: { skipRequest: () => { skipped = true; } } });
    if (skipped) continue;
    variables.set('hydrauth_prepared', hydrauthSteps[at].id);
    return pm.execution.setNextRequest(hydrauthSteps[at].id);
  }
  return pm.execution.setNextRequest(null);
};`;

/**
 * The same collection with one script a request instead of three. Newman takes some ten milliseconds for each script, whatever it does,
 * which is most of the time of a run. The library is defined once, and the preparation of a request runs at the end of the script after
 * the request before it. Folders and descriptions are left out, since nobody reads them here.
 */
export function withOneScript(collection: Item): Item {
  const requests = leaves(collection);
  const steps = requests.map((each) => {
    const id = JSON.stringify(each.id ?? '');
    return `{ id: ${id}, prepare: (pm) => {\n${linesOf(each, 'prerequest').join('\n')}\n} },`;
  });
  const library = [...linesOf(collection, 'prerequest'), `hydrauthSteps = [\n${steps.join('\n')}\n];`, goOn];
  return {
    ...collection,
    event: [],
    item: requests.map((each, at) => ({
      ...(each.id === undefined ? {} : { id: each.id }),
      ...withoutDescription(each),
      event: [
        ...(at === 0 ? [script('prerequest', [...library, ...linesOf(each, 'prerequest'), prepares(each)])] : []),
        script('test', [isPrepared(each), 'try {', ...linesOf(each, 'test'), `} finally { hydrauthGoOn(pm, ${at + 1}); }`]),
      ],
    })),
  };
}

const prepares = ({ id = '' }: Item) => `pm.variables.set('hydrauth_prepared', ${JSON.stringify(id)});`;
/** A script that Newman had to stop has not prepared the next request. */
const isPrepared = ({ id = '' }: Item) =>
  `if (pm.variables.get('hydrauth_prepared') !== ${JSON.stringify(id)}) throw new Error('it was not prepared');`;

function leaves({ item = [] }: Item): Item[] {
  return item.flatMap((each) => (each.item === undefined ? [each] : leaves(each)));
}

function linesOf({ event = [] }: Item, listen: string): string[] {
  return event.filter((each) => each.listen === listen).flatMap((each) => each.script.exec.filter((line) => line !== sandboxOnly));
}

function script(listen: string, lines: readonly string[]): Script {
  return { listen, script: { exec: [sandboxOnly, ...lines] } };
}

function withoutDescription({ event: _, request, ...item }: Item): Item {
  const { description: __, ...rest } = (request ?? {}) as { description?: unknown };
  return { ...item, request: rest };
}
