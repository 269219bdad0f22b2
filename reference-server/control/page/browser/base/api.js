/**
 * Calls the control listener that served this page.
 *
 * @param {string} path
 * @param {'GET' | 'POST' | 'PUT' | 'DELETE'} [method]
 * @param {object} [body]
 * @returns {Promise<any>} what it answered; a refusal throws, with the sentence of its body
 */
export async function call(path, method = 'GET', body) {
  const answer = await fetch(path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  });
  const text = await answer.text();
  if (answer.ok) return text === '' ? undefined : JSON.parse(text);
  throw new Error(sentenceOf(text) ?? `The server answered with status ${answer.status}.`);
}

/**
 * @param {string} text
 * @returns {string | undefined}
 */
function sentenceOf(text) {
  try {
    return String(Object.values(JSON.parse(text))[0]);
  } catch {
    return undefined;
  }
}
