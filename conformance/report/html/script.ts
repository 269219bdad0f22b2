/** Search and copy. The page is complete without it, and hides what needs it until it runs. */
export const script = `
const form = document.querySelector('.search');
const status = document.querySelector('#status');
if (form) {
  const search = form.querySelector('input');
  const outcome = form.querySelector('select');
  const shown = form.querySelector('.shown');
  const text = (row, parts) => all(parts, row).map((part) => part.textContent).join(' ').toLowerCase();
  const rows = [
    ...all('.finding').map((row) => ({ row, text: text(row, ':scope > h4, :scope > .says, :scope > .found, :scope > .versus') })),
    ...all('.req').map((row) => ({ row, text: text(row, 'summary') })),
  ];
  form.hidden = false;
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('input', () => {
    const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    const is = outcome.value && 'is-' + outcome.value;
    for (const { row, text } of rows) row.hidden = (is && !row.classList.contains(is)) || !words.every((word) => text.includes(word));
    for (const link of all('.index a')) link.parentElement.hidden = document.getElementById(link.hash.slice(1)).hidden;
    for (const group of all('.group')) {
      group.hidden = !group.querySelector('.req:not([hidden])');
      group.open = words.length > 0;
    }
    for (const part of all('.part')) part.hidden = !part.querySelector('.finding:not([hidden]), .req:not([hidden])');
    const count = rows.filter(({ row }) => !row.hidden).length;
    shown.textContent = words.length === 0 && !is ? '' : count + ' of ' + rows.length + ' requirements';
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    event.preventDefault();
    search.focus();
  });
}
// A clause leads to requirements that are folded.
const unfold = () => {
  for (let at = document.getElementById(decodeURIComponent(location.hash.slice(1))); at; at = at.parentElement?.closest('details')) at.open = true;
};
addEventListener('hashchange', unfold);
unfold();
for (const button of all('.copy')) {
  const source = button.parentElement.querySelector('pre');
  button.hidden = false;
  button.addEventListener('click', async () => {
    let done = true;
    try {
      await navigator.clipboard.writeText(source.textContent);
    } catch {
      const range = document.createRange();
      range.selectNodeContents(source);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      done = document.execCommand('copy');
    }
    button.textContent = done ? 'Copied' : 'Press Ctrl+C';
    status.textContent = done ? 'Copied to the clipboard.' : 'Selected; press Ctrl+C to copy.';
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
}
`;
