import { call } from './base/api.js';
import { App } from './base/app.js';
import { byId } from './base/dom.js';
import { listen } from './base/stream.js';
import { makeDiagram } from './diagram/diagram.js';
import { makeExchange } from './exchange/exchange.js';
import { makeClock } from './steer/clock.js';
import { makeSwitches } from './steer/switches.js';
import { makeTokens } from './steer/tokens.js';
import { makeSaveMenu } from './take/menu.js';
import { makeTop } from './top.js';
import { makeTryIt } from './try/try.js';

const [facts, state, faults, variants] = await Promise.all(
  ['/page/facts.json', '/state', '/faults', '/variants'].map((path) => call(path)),
);
const app = new App(facts);
app.setState(state);
const views = makeTop(app);
const { shown } = makeDiagram(app, () => views.show('exchange'));
makeExchange(app);
makeSaveMenu(app, shown);
byId('steer').append(makeClock(app), makeTokens(app), makeSwitches(app, { faults, variants }));
byId('try').append(...makeTryIt(app));
app.setState(state);
listen(app);
