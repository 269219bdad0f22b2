/** Hides the rows on which all agree. The page is complete without it. */
export const matrixScript = `
'use strict';
(() => {
  const only = document.querySelector('#only');
  only.closest('label').hidden = false;
  const apply = () => {
    for (const row of document.querySelectorAll('.row:not(.differs)')) row.hidden = only.checked;
    for (const group of document.querySelectorAll('.group')) group.hidden = !group.parentElement.querySelector('.row:not([hidden])');
  };
  only.addEventListener('change', apply);
  apply();
})();
`;
