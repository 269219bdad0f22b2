import type { IncomingMessage, Server, ServerResponse } from 'node:http';

type Answerer = (req: IncomingMessage, res: ServerResponse) => void;

/** Hapi's own listeners of these events come last. What stands before them, to answer what is no whole request, stays. */
const events = ['request', 'checkContinue'] as const;

/** Lets another server than the one that listens answer the requests that are chosen. */
export function dispatch(listener: Server, choose: (req: IncomingMessage) => Server): void {
  for (const event of events) {
    const own = answererOf(listener, event);
    listener.removeListener(event, own);
    listener.on(event, (req: IncomingMessage, res: ServerResponse) => {
      const chosen = choose(req);
      (chosen === listener ? own : answererOf(chosen, event))(req, res);
    });
  }
}

function answererOf(listener: Server, event: (typeof events)[number]): Answerer {
  return listener.listeners(event).at(-1) as Answerer;
}
