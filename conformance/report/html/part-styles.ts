/** The sheet of the page's parts: the list of what failed, filters, requirements, evidence, tables. */
export const partStyles = `
.failed { list-style: none; margin: 0.75rem 0 0; padding: 0; border-top: 1px solid var(--rule); }
.failed li { display: grid; grid-template-columns: minmax(13rem, 17rem) 1fr; gap: 0.15rem 1.5rem; padding: 0.6rem 0; border-bottom: 1px solid var(--rule); overflow-wrap: anywhere; }
.failed a { font-family: var(--mono); font-size: 0.875rem; }

.toolbar { display: grid; gap: 0.9rem; margin: 1rem 0 1.5rem; padding: 1rem; background: var(--panel); border: 1px solid var(--rule); border-radius: 8px; }
.toolbar fieldset { border: 0; margin: 0; padding: 0; min-width: 0; display: flex; flex-wrap: wrap; gap: 0.4rem; align-items: center; }
.toolbar legend, .toolbar .label { float: left; width: 5.5rem; padding: 0; font-size: 0.875rem; color: var(--muted); }
.toolbar legend + * { clear: none; }
.chip { position: relative; }
.chip input { position: absolute; inset: 0; margin: 0; opacity: 0; cursor: pointer; width: 100%; height: 100%; }
.chip span { display: block; padding: 0.25rem 0.7rem; border: 1px solid var(--rule); border-radius: 99px; background: var(--paper); font-size: 0.875rem; }
.chip input:checked + span { background: var(--ink); border-color: var(--ink); color: var(--paper); }
.chip input:focus-visible + span { outline: 2px solid var(--link); outline-offset: 2px; }
.search { display: flex; align-items: center; }
.search input { flex: 1; min-width: 0; font: inherit; font-size: 0.9375rem; color: inherit; background: var(--paper); border: 1px solid var(--muted); border-radius: 6px; padding: 0.4rem 0.65rem; }
.shown { font-size: 0.875rem; color: var(--muted); margin: 0; }

.step { margin-top: 2rem; }
.step > header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.2rem 0.9rem; padding-bottom: 0.5rem; border-bottom: 2px solid var(--ink); }
.step > header span { color: var(--muted); font-size: 0.875rem; }
.req { border-bottom: 1px solid var(--rule); scroll-margin-top: 1rem; }
.req > summary { display: grid; grid-template-columns: 1.1rem 8rem minmax(0, 1fr) 4.5rem; gap: 0.1rem 0.75rem; align-items: baseline; padding: 0.6rem 0; cursor: pointer; list-style: none; }
.req > summary::-webkit-details-marker { display: none; }
.req > summary::before { content: ""; width: 0.42rem; height: 0.42rem; border: solid var(--muted); border-width: 0 1.5px 1.5px 0; transform: rotate(-45deg); align-self: start; margin: 0.55rem 0 0 0.15rem; }
.req[open] > summary::before { transform: rotate(45deg); }
.req > summary:hover .id { text-decoration: underline; text-underline-offset: 0.2em; }
.outcome { color: var(--tone); font-size: 0.875rem; font-weight: 600; white-space: nowrap; }
.outcome svg { width: 0.8em; height: 0.8em; margin-right: 0.4em; fill: none; stroke: currentColor; stroke-width: 2.2; stroke-linecap: round; stroke-linejoin: round; vertical-align: -0.03em; }
.id { font-family: var(--mono); font-size: 0.875rem; font-weight: 600; }
.says { display: block; color: var(--muted); font-size: 0.9375rem; overflow-wrap: anywhere; }
.level { font-size: 0.75rem; letter-spacing: 0.04em; color: var(--muted); text-align: right; }
.req.is-fail[open], .req.is-warn[open], .req.is-known-failure[open] { box-shadow: inset 3px 0 0 var(--tone); margin-left: -1rem; padding-left: 1rem; }
.inside { padding: 0.1rem 0 1.6rem 1.85rem; }
.req.is-fail .inside, .req.is-warn .inside, .req.is-known-failure .inside { padding-left: 1.85rem; }
.found { font-size: 1.0625rem; font-weight: 600; margin-bottom: 0.9rem; overflow-wrap: anywhere; }
.pairs { display: grid; grid-template-columns: 8rem minmax(0, 1fr); gap: 0.5rem 0.75rem; margin: 0; max-width: 52rem; }
.pairs dt { color: var(--muted); font-size: 0.875rem; padding-top: 0.05rem; }
.pairs dd { margin: 0; overflow-wrap: anywhere; }
.value { font-family: var(--mono); font-size: 0.875rem; white-space: pre-wrap; }
.value mark { background: var(--mark); color: var(--mark-ink); border-radius: 2px; padding: 0.05em 0; box-decoration-break: clone; -webkit-box-decoration-break: clone; }

.drawing { overflow-x: auto; border: 1px solid var(--rule); border-radius: 6px; background: var(--panel); }
.drawing svg { display: block; margin: 0 auto; }
.drawing text { font: 12px var(--mono); fill: var(--ink); }
.drawing .who { font: 600 13px var(--sans); }
.drawing .soft { fill: var(--muted); }
.drawing .strong { font-weight: 700; }
.drawing .life { stroke: var(--rule); stroke-width: 1.5; }
.drawing .go { stroke: var(--ink); stroke-width: 1.25; fill: none; }
.drawing .back { stroke-dasharray: 5 4; }
.drawing .tip { fill: var(--ink); }
.drawing .time { stroke: var(--warn); }
.drawing .time-tip, .drawing text.time-label { fill: var(--warn); stroke: none; }
.wire { margin-top: 0.6rem; }
.wire summary { cursor: pointer; color: var(--link); font-size: 0.9375rem; padding: 0.2rem 0; }
.wire ol { padding-left: 1.6rem; }
.wire li { margin: 0.75rem 0; }
.wire pre + pre { margin-top: 0.4rem; }
.script { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0.6rem; align-items: start; }
.copy { font: inherit; font-size: 0.8125rem; color: var(--ink); background: var(--paper); border: 1px solid var(--muted); border-radius: 6px; padding: 0.4rem 0.8rem; cursor: pointer; }
.copy:hover { background: var(--panel); }

.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.9375rem; }
th, td { text-align: left; vertical-align: top; padding: 0.55rem 1.25rem 0.55rem 0; border-bottom: 1px solid var(--rule); overflow-wrap: anywhere; }
th { font-weight: 600; }
thead th { color: var(--muted); font-size: 0.8125rem; font-weight: 500; border-bottom: 2px solid var(--ink); }
.reasons { margin: 0.75rem 0 0; }
.reasons dt { margin-top: 1rem; max-width: 48rem; overflow-wrap: anywhere; }
.reasons dd { margin: 0.15rem 0 0; color: var(--muted); overflow-wrap: anywhere; }
@media (max-width: 40rem) {
  .failed li, .pairs { grid-template-columns: 1fr; }
  .pairs { gap: 0.1rem; } .pairs dd { margin-bottom: 0.6rem; }
  .toolbar legend, .toolbar .label { float: none; width: auto; min-width: 4.5rem; padding-bottom: 0.2rem; }
  .req > summary { grid-template-columns: 1.1rem minmax(0, 1fr) auto; }
  .req > summary .statement { grid-column: 2 / -1; grid-row: 2; }
  .inside, .req.is-fail .inside, .req.is-warn .inside, .req.is-known-failure .inside { padding-left: 0.25rem; }
  .req.is-fail[open], .req.is-warn[open], .req.is-known-failure[open] { margin-left: -0.75rem; padding-left: 0.75rem; }
  .script { grid-template-columns: 1fr; justify-items: start; }
  .script pre { max-width: 100%; justify-self: stretch; }
  table.stack thead { position: absolute; clip-path: inset(50%); height: 1px; overflow: hidden; }
  table.stack :is(tr, th, td) { display: block; border: 0; padding: 0.1rem 0; }
  table.stack tr { border-bottom: 1px solid var(--rule); padding: 0.6rem 0; }
}
`;
