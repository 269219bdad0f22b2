/**
 * An element. A function is a listener, `true` an attribute without value, and `false` or undefined leaves the attribute out.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, string | number | boolean | undefined | ((event: any) => void)>} [attributes]
 * @param {...(Node | string | undefined)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  for (const child of children) if (child !== undefined) element.append(child);
  return element;
}

/**
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no element ${id}`);
  return element;
}

/**
 * Says something to those who cannot see it change.
 *
 * @param {string} sentence
 */
export function say(sentence) {
  byId('said').textContent = sentence;
}

/**
 * @param {HTMLElement} element
 * @param {string} name of a custom property of the style sheet
 * @param {string | number} value
 */
export function setStyle(element, name, value) {
  element.style.setProperty(name, String(value));
}
