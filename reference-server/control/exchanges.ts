import { allow, type OptionCheck } from '../../spec/index.js';
import { type ExchangeFilter, filterChecks } from '../recording/index.js';
import { queryOf } from './call.js';
import { type Routes, reply } from './route.js';

type Limited = ExchangeFilter & { readonly limit?: number };
type Timed = ExchangeFilter & { readonly timeout?: number };

const numbers = ['after', 'status', 'limit', 'timeout'];
const timeout: OptionCheck = ['a number of seconds from 0 to 300', (value) => typeof value === 'number' && value >= 0 && value <= 300];
const defaultSeconds = 30;

export const exchangeRoutes: Routes = {
  'GET /exchanges': ({ query }, { recording }) => {
    const { limit, ...filter } = queryOf<Limited>(query, { ...filterChecks, limit: allow.whole(1, Number.MAX_SAFE_INTEGER) }, numbers);
    const { first, last } = recording.recorder;
    return reply({ exchanges: recording.list(filter, limit), last, missed: Math.max(0, first - 1 - (filter.after ?? first - 1)) });
  },
  'GET /exchanges/next': async ({ query, res }, { recording }) => {
    const { timeout: seconds = defaultSeconds, ...filter } = queryOf<Timed>(query, { ...filterChecks, timeout }, numbers);
    const hungUp = new AbortController();
    res.once('close', () => hungUp.abort());
    const found = await recording.next(filter, AbortSignal.any([hungUp.signal, AbortSignal.timeout(seconds * 1000)]));
    return reply(found);
  },
};
