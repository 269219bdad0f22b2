/**
 * Comparison as HTTP has it, in the language of Postman's sandbox: media types by essence, links by RFC 8288, challenges by RFC 9110.
 * Text and not functions, because it travels in the collection; it scans by character where a target chooses the text, so that no header can stall it.
 */
export const compareScript = String.raw`
  const values = (name) => pm.response.headers.all()
    .filter((line) => line.key.toLowerCase() === name.toLowerCase())
    .map((line) => String(line.value).trim());
  const octets = () => Buffer.from(pm.response.stream || pm.response.text() || '');
  const text = () => octets().toString('utf8').replace(/^\uFEFF/, '');
  const shown = (value) => {
    const words = typeof value === 'string' ? value : JSON.stringify(value);
    return words.length > 200 ? words.slice(0, 200) + ' and more' : words;
  };
  const listed = (all) => (all.length === 0 ? 'none' : shown(all.join(' and ')));

  // Splits a header value where the separator stands outside quotes and angle brackets.
  const split = (value, separator) => {
    const parts = [];
    let part = '';
    let quoted = false;
    let angled = false;
    for (let at = 0; at < value.length; at += 1) {
      const character = value[at];
      if (quoted && character === '\\') {
        at += 1;
        part += character + (value[at] || '');
      } else if (character === separator && !quoted && !angled) {
        parts.push(part.trim());
        part = '';
      } else {
        if (character === '"' && !angled) quoted = !quoted;
        if (character === '<' && !quoted) angled = true;
        if (character === '>' && !quoted) angled = false;
        part += character;
      }
    }
    return parts.concat(part.trim()).filter((each) => each !== '');
  };
  const unquoted = (value) => (value[0] === '"' ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value);
  const parameter = (piece) => {
    const at = piece.indexOf('=');
    return at < 0 ? [piece.toLowerCase(), ''] : [piece.slice(0, at).trim().toLowerCase(), unquoted(piece.slice(at + 1).trim())];
  };

  const links = () => values(protocol.headers.link).flatMap((value) => split(value, ',')).flatMap((link) => {
    const [target, ...pieces] = split(link, ';');
    if (target === undefined || target[0] !== '<' || target[target.length - 1] !== '>') return [];
    const parameters = pieces.map(parameter);
    const relation = parameters.find(([name]) => name === 'rel');
    const anchor = parameters.find(([name]) => name === 'anchor');
    // With an anchor elsewhere it is a link of another resource (RFC 8288, section 3.2).
    if (anchor !== undefined && (anchor[1].includes('#') || resolved(anchor[1]) !== resolved(''))) return [];
    return [{ target: target.slice(1, -1), relations: relation === undefined ? [] : relation[1].toLowerCase().split(/\s+/) }];
  });

  const challenges = () => {
    const found = [];
    for (const piece of values(protocol.headers.authenticate).flatMap((value) => split(value, ','))) {
      const [scheme, ...rest] = piece.split(/[ \t]+/);
      const after = rest.join(' ');
      const begins = !scheme.includes('=') && !after.startsWith('=');
      if (begins) found.push({ scheme: scheme.toLowerCase(), parameters: [] });
      const last = found[found.length - 1];
      const said = begins ? after : piece;
      if (last !== undefined && said !== '') last.parameters.push(parameter(said));
    }
    return found;
  };

  const resolved = (target) => {
    const address = url.parse(url.resolve(pm.request.url.toString(), target));
    const usual = { 'http:': '80', 'https:': '443' }[address.protocol];
    const port = address.port && address.port !== usual ? ':' + address.port : '';
    return address.protocol + '//' + address.hostname + port + address.path;
  };`;
