/** The three steps and refusals, as the collection's checks know them. */
export const stepsScript = `
  // Step A. What has neither the status nor a header of the challenge is another answer, and only its status is judged.
  const challengeLike = () => pm.response.code === protocol.challenge.status || issued(protocol.headers.nonce) !== '' || (!success() && challenges().length > 0);
  const onChallenge = (judge) => {
    if (!challengeLike()) untested('the answer is no challenge, but ' + status());
    judge();
  };
  const hasNonce = () => { if (issued(protocol.headers.nonce) === '') fail('a nonce in ' + protocol.headers.nonce, 'none'); };
  const nonceShaped = () => {
    const nonce = issued(protocol.headers.nonce);
    if (nonce === '') untested('there is no nonce, see challenge.nonce');
    if (!pattern(protocol.challenge.noncePattern).test(nonce)) fail('the shape of a UUID', shown(nonce));
  };
  // Postman would fill in a variable that a target names; what looks like one is not sent back.
  const usable = (value) => (value.includes('{{') ? '' : value);
  const keepNonce = (name) => set(name, challengeLike() ? usable(issued(protocol.headers.nonce)) : '');
  const anotherNonce = () => {
    if (get('first_nonce') === '') untested('the first challenge gave no nonce');
    if (!challengeLike()) untested('the answer is no challenge, but ' + status());
    if (issued(protocol.headers.nonce) === '') fail('another nonce', 'none');
    if (issued(protocol.headers.nonce) === get('first_nonce')) fail('another nonce', 'the same one again');
  };

  // Refused is what yields neither token nor resource, whatever its status.
  const errorBody = () => {
    const body = jsonOr(null);
    const keys = body !== null && typeof body === 'object' && !Array.isArray(body) ? Object.keys(body) : [];
    return keys.length === 1 && pattern(protocol.errorKeyPattern).test(keys[0]) && Number(keys[0]) >= protocol.firstError;
  };
  const yields = () => {
    if (issued(protocol.headers.token) !== '') return status() + ' and a token';
    if (success() && !errorBody()) return status() + ' and no refusal';
    const resource = get('resource');
    return resource.length >= 32 && text() === resource ? status() + ' and the resource' : '';
  };
  const remember = (refusal) => set(refusal, JSON.stringify({ granted: yields() !== '', saw: yields() || status(), slow: pm.response.code === protocol.tooMany }));
  const refused = (refusal, accepted) => {
    if (get(refusal) === '') untested('the request to be refused got no answer');
    const seen = JSON.parse(get(refusal));
    if (seen.granted) fail('a refusal, no token and no resource', seen.saw);
    if (seen.slow) untested('the target asked to slow down, ' + seen.saw);
    if (!accepted()) untested('the accepted control was not accepted but got ' + status());
  };

  // Rule 1: challenged like the collection was at first.
  const challengedToo = () => {
    patience();
    const whole = get('challenged') === 'whole';
    // A success without a body may be a challenge that has the status of one.
    if (!whole && pm.request.method === 'HEAD') untested('a challenge that is not as it must be cannot be told without its body, see challenge.status');
    if (yields() !== '') fail('the challenge', yields());
    if (!whole) untested('the challenge itself is not as it must be, see challenge.status and challenge.nonce');
    if (pm.response.code !== protocol.challenge.status) fail('the challenge, status ' + protocol.challenge.status, status());
  };
  const keepChallenge = () => {
    const whole = pm.response.code === protocol.challenge.status && issued(protocol.headers.nonce) !== '';
    set('challenged', yields() !== '' ? '' : whole ? 'whole' : 'partly');
    keepNonce('first_nonce');
  };

  const refusedHere = () => challengeLike() || pm.response.code === protocol.forbidden;

  // Never issued, and almost right.
  const unlike = (value) => value.replace(/./g, (digit) => (/[0-9a-f]/i.test(digit) ? (15 - parseInt(digit, 16)).toString(16) : '0'));
  const almost = (value) => value.slice(0, -1) + (value.slice(-1) === '0' ? '1' : '0');

  // Step B.
  const exchanged = () => issued(protocol.headers.token) !== '';
  const exchangeLike = () => exchanged() || pm.response.code === protocol.exchange.status;
  const onExchange = (judge) => {
    if (!exchangeLike()) untested('the exchange was not accepted, ' + status());
    judge();
  };
  const hasToken = () => { if (!exchanged()) fail('a token in ' + protocol.headers.token, 'none'); };
  const tokenShaped = () => {
    if (!exchanged()) untested('there is no token, see exchange.token');
    if (!pattern(protocol.exchange.tokenPattern).test(issued(protocol.headers.token))) fail('hexadecimal digits', 'a token of other characters');
  };
  const anotherToken = () => {
    if (!exchanged()) untested('the second exchange gave no token, ' + status());
    if (issued(protocol.headers.token) === get('token')) fail('another token', 'the same one again');
  };
  const keepToken = (name) => set(name, usable(issued(protocol.headers.token)));

  // Step C.
  const served = () => success() && !errorBody() && text() !== '' && JSON.stringify(jsonOr(null)) !== JSON.stringify(protocol.exchange.body);
  const isServed = (what) => {
    patience();
    if (!served()) fail(what, success() ? status() + ' with ' + (shown(text()) || 'an empty body') : status());
  };
  const onServed = (judge) => {
    if (!served()) untested('it was not served, ' + status());
    judge();
  };

  // The clock: what it said last and when, so that a slow target is not taken for an early end.
  // Clocks may count in whole seconds.
  const keepClock = (name, advancedMs) => {
    const now = Date.parse((jsonOr(null) || {}).now);
    const moved = now - Number(get('clock_now') || NaN);
    if (advancedMs === 0) set('clock_began', String(now));
    set(name, success() && (advancedMs === 0 ? now > 0 : moved > advancedMs - 1000) ? 'yes' : '');
    set('clock_now', String(now));
    set('clock_read', String(Date.now()));
  };
  const withinLifetime = () => {
    const age = Number(get('clock_now')) - Number(get('clock_began')) + Date.now() - Number(get('clock_read'));
    if (age >= protocol.token.lifetimeMs) untested('the answers took so long that the lifetime was over');
  };
  // A token that nobody used and that still opens shows no expiry at all; nothing can slide then.
  const expiresAtAll = (rested) => { if (granted(rested)) untested('tokens do not expire at all, see expiry.refused-after'); };`;
