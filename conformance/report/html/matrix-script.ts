/** Hides what all agree on, and shows what a cell stands for in a panel. The page is complete without it. */
export const matrixScript = `
const only = document.querySelector('#only');
const apply = () => { for (const row of all('.row:not(.differs)')) row.hidden = only.checked; };
only.closest('label').hidden = false;
only.addEventListener('change', apply);
apply();

const table = document.querySelector('table');
const close = document.querySelector('#close');
let panel;
let origin;
const shut = (refocus) => {
  if (!panel) return;
  panel.classList.remove('panel');
  panel.setAttribute('role', 'group');
  for (const each of all('.chosen')) each.classList.remove('chosen');
  panel = undefined;
  close.hidden = true;
  document.body.append(close);
  if (refocus) origin.focus();
};
const show = (cell) => {
  shut(false);
  const link = cell.parentElement.querySelector('a');
  origin = cell.tagName === 'TD' ? cell : link;
  panel = document.getElementById(link.hash.slice(1));
  panel.classList.add('panel');
  panel.setAttribute('role', 'dialog');
  panel.prepend(close);
  close.hidden = false;
  cell.classList.add('chosen');
  panel.scrollTop = 0;
  panel.focus({ preventScroll: true });
  const entry = panel.querySelector('[data-column="' + (cell.cellIndex - 1) + '"]');
  if (!entry) return;
  entry.classList.add('chosen');
  panel.scrollTop = entry.offsetTop - 96;
};
for (const cell of all('td', table)) cell.tabIndex = -1;
table.addEventListener('click', (event) => {
  const cell = event.target.closest('tbody td, tbody th');
  if (!cell) return;
  event.preventDefault();
  show(cell);
});
const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
table.addEventListener('keydown', (event) => {
  const cell = event.target.closest('tbody td, tbody th');
  if (!cell) return;
  if (event.key === 'Enter') {
    event.preventDefault();
    show(cell);
  }
  const step = steps[event.key];
  if (!step) return;
  const rows = all('tbody tr:not([hidden])', table);
  const next = rows[rows.indexOf(cell.parentElement) + step[0]]?.cells[cell.cellIndex + step[1]];
  if (!next) return;
  event.preventDefault();
  (next.querySelector('a') ?? next).focus();
});
close.addEventListener('click', () => shut(true));
document.addEventListener('keydown', (event) => { if (event.key === 'Escape') shut(true); });
`;
