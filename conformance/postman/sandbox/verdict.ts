/** How a check ends in the sandbox: passed, failed with what was expected and what came, or untested with the reason, visibly skipped. */
export const verdictScript = `
  const get = (name) => pm.collectionVariables.get('hydrauth_' + name) || '';
  const set = (name, value) => pm.collectionVariables.set('hydrauth_' + name, value || '');
  const fail = (expected, actual) => { throw { expected, actual }; };
  const untested = (reason) => { throw { reason }; };

  const check = (name, judge) => {
    try {
      judge();
    } catch (end) {
      if (end && end.reason) return pm.test.skip(name + ' [untested: ' + end.reason + ']');
      if (end && end.expected) return pm.test(name, () => { throw new Error('expected ' + end.expected + '; got ' + end.actual); });
      return pm.test(name, () => { throw new Error('the check broke: ' + (end && end.message)); });
    }
    return pm.test(name, () => {});
  };

  // What was granted although it had to be refused is a finding, whatever became of the control after it.
  const granted = (refusal) => refusal !== undefined && get(refusal) !== '' && JSON.parse(get(refusal)).granted;
  const leave = (tests, reason) => tests.forEach(({ name, refusal }) => check(name, () => (granted(refusal) ? refused(refusal) : untested(reason))));

  // Before the request: skips it, and every test on it, when something it needs did not come about.
  const arrange = ({ tests, needs, forgets }) => {
    (forgets || []).forEach((name) => set(name, ''));
    pm.variables.set('hydrauth_tests', JSON.stringify(tests));
    const unset = protocol.variables.find((name) => !pm.variables.get(name));
    const missing = Object.keys(needs).find((name) => !(name === 'clock_url' ? pm.variables.get(name) : get(name)));
    if (unset === undefined && missing === undefined) return true;
    leave(tests, unset === undefined ? needs[missing] : 'the variable ' + unset + ' is not set');
    pm.execution.skipRequest();
    return false;
  };

  // After the request: without an answer nothing is judged.
  const answered = () => {
    if (pm.response && pm.response.code) return true;
    leave(JSON.parse(pm.variables.get('hydrauth_tests') || '[]'), 'no answer came');
    return false;
  };`;
