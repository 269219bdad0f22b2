/** Filter, search and copy. The page is complete without it, and hides what needs it until it runs. */
export const script = `
'use strict';
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const toolbar = document.querySelector('.toolbar');
  const status = document.querySelector('#status');
  if (toolbar) {
    const search = toolbar.querySelector('input[type=search]');
    const shown = toolbar.querySelector('.shown');
    const rows = all('.req').map((row) => ({ row, text: row.querySelector('summary').textContent.toLowerCase() }));
    const chosen = (name) => toolbar.querySelector('input[name=' + name + ']:checked').value;
    const apply = () => {
      const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
      const outcome = chosen('outcome');
      const level = chosen('level');
      let count = 0;
      for (const { row, text } of rows) {
        const fits =
          (outcome === 'all' || row.dataset.outcome === outcome) &&
          (level === 'all' || row.dataset.level === level) &&
          words.every((word) => text.includes(word));
        row.hidden = !fits;
        if (fits) count += 1;
      }
      for (const step of all('.step')) step.hidden = !step.querySelector('.req:not([hidden])');
      shown.textContent = count === rows.length ? 'All ' + count + ' requirements are shown.' : count + ' of ' + rows.length + ' requirements are shown.';
    };
    toolbar.hidden = false;
    toolbar.addEventListener('input', apply);
    toolbar.addEventListener('submit', (event) => event.preventDefault());
    document.addEventListener('keydown', (event) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
      event.preventDefault();
      search.focus();
    });
    const follow = () => {
      const row = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
      if (!row || !row.classList.contains('req')) return;
      if (row.hidden) {
        toolbar.reset();
        apply();
      }
      row.open = true;
      row.scrollIntoView();
    };
    addEventListener('hashchange', follow);
    apply();
    follow();
  }
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
})();
`;
