/** What the checks of the collection ask of an answer. Every literal comes from the spec, as `protocol`. */
export const judgeScript = `
  const status = () => 'status ' + pm.response.code;
  const success = () => Math.floor(pm.response.code / 100) === 2;
  const patience = () => { if (pm.response.code === protocol.tooMany) untested('the target asked to slow down, ' + status()); };
  const parsed = () => {
    const bytes = octets();
    if (!Buffer.from(bytes.toString('utf8'), 'utf8').equals(bytes)) fail('a body in UTF-8', 'octets that are not UTF-8');
    try {
      return JSON.parse(text());
    } catch (error) {
      return fail('a body that is JSON', shown(text()) || 'an empty body');
    }
  };
  const jsonOr = (other) => { try { return parsed(); } catch (end) { return other; } };
  const issued = (name) => values(name).find((value) => value !== '' && value !== pm.request.headers.get(name)) || '';

  const headers = {
    contentType() {
      const sent = values(protocol.headers.contentType);
      const essence = (value) => value.split(';')[0].trim().toLowerCase();
      if (sent.length === 0 || sent.some((value) => essence(value) !== protocol.mediaType.toLowerCase())) fail(protocol.mediaType, listed(sent));
    },
    link() {
      const wanted = resolved(base() + protocol.link.path);
      const found = links().filter(({ relations }) => relations.includes(protocol.link.relation.toLowerCase()));
      if (!found.some(({ target }) => resolved(target) === wanted)) {
        fail('a link to ' + wanted + ' with the relation ' + protocol.link.relation, listed(values(protocol.headers.link)));
      }
    },
    allowOrigin() {
      const sent = values(protocol.headers.allowOrigin);
      if (sent.length === 0 || sent.some((value) => value !== protocol.allowOrigin)) fail(protocol.allowOrigin, listed(sent));
    },
    contentLength() {
      const [sent] = values(protocol.headers.contentLength);
      if (sent === undefined) fail('the length of the body', 'none');
      const comparable = values('Content-Encoding').length === 0;
      if (!/^[0-9]+$/.test(sent) || (comparable && Number(sent) !== octets().length)) fail(octets().length + ' octets', sent);
    },
    date() {
      if (!values(protocol.headers.date).some((value) => value !== '')) fail('a date', 'none');
    },
    dateFormat() {
      const sent = values(protocol.headers.date);
      if (sent.length === 0) untested('there is no ' + protocol.headers.date);
      if (!sent.every((value) => pattern(protocol.datePattern).test(value))) fail('an IMF-fixdate', listed(sent));
    },
  };

  const hasStatus = (wanted) => {
    patience();
    if (pm.response.code !== wanted) fail('status ' + wanted, status());
  };
  const hasBody = (wanted) => {
    const body = jsonOr(undefined);
    if (body === undefined) untested('the body is not JSON, see jsonld.parses');
    const same = body !== null && typeof body === 'object' && !Array.isArray(body) && Object.keys(body).length === 1
      && Object.keys(wanted).every((key) => body[key] === wanted[key]);
    if (!same) fail(JSON.stringify(wanted), shown(body));
  };
  const isKeyedByStatus = () => {
    if (pm.response.code < protocol.firstError || pm.response.code === protocol.challenge.status) untested('no other error came, but ' + status());
    patience();
    const body = jsonOr(text());
    const keys = body !== null && typeof body === 'object' && !Array.isArray(body) ? Object.keys(body) : [];
    if (keys.length !== 1 || keys[0] !== String(pm.response.code) || typeof body[keys[0]] !== 'string') {
      fail('one member, keyed ' + pm.response.code + ', with a message', shown(body) || 'an empty body');
    }
  };
  const asksForCredentials = () => {
    const { scheme, realm } = protocol.challenge;
    const asked = challenges().filter((each) => each.scheme === scheme.toLowerCase());
    if (!asked.some(({ parameters }) => parameters.some(([name, value]) => name === 'realm' && value === realm))) {
      fail(protocol.challenge.authenticate, listed(values(protocol.headers.authenticate)));
    }
  };`;
