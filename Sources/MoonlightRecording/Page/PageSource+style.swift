extension PageSource {
    static let style = #"""
        :root { --back: #fdfdfc; --raised: #f2f1ee; --text: #1c1c1a; --dim: #66635c; --line: #d9d6cf; --accent: #0b62c4; --on: #ffffff;
          --selected: #dbe9fb; --found: #fdf0b8; --event: #0b62c4; --effect: #1a7f43; --job: #9a5b00; --reaction: #8a3ab9;
          --wrong: #c0262d; --other: #66635c; --gone: #fbe3e1; --new: #dff3e4; }
        @media (prefers-color-scheme: dark) { :root:not([data-theme=light]) { --back: #191a1c; --raised: #25272a; --text: #ecebe8;
          --dim: #a5a29b; --line: #3a3d42; --accent: #7db4ff; --on: #10151c; --selected: #24405f; --found: #51460f; --event: #7db4ff;
          --effect: #6fd08c; --job: #e5ab4d; --reaction: #cf9cf0; --wrong: #ff8c85; --other: #a5a29b; --gone: #4c2422; --new: #1d4028; } }
        :root[data-theme=dark] { --back: #191a1c; --raised: #25272a; --text: #ecebe8; --dim: #a5a29b; --line: #3a3d42; --accent: #7db4ff;
          --on: #10151c; --selected: #24405f; --found: #51460f; --event: #7db4ff; --effect: #6fd08c; --job: #e5ab4d; --reaction: #cf9cf0;
          --wrong: #ff8c85; --other: #a5a29b; --gone: #4c2422; --new: #1d4028; color-scheme: dark; }
        :root[data-theme=light] { color-scheme: light; }
        * { box-sizing: border-box; }
        html, body { height: 100%; margin: 0; }
        body { display: grid; grid-template: auto auto minmax(0, 1fr) / minmax(20rem, 1.5fr) minmax(18rem, 1fr); background: var(--back);
          color: var(--text); font: 14px/1.45 system-ui, sans-serif; }
        header { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: .5rem .8rem; align-items: center; padding: .5rem .8rem;
          border-bottom: 1px solid var(--line); }
        h1 { font-size: 1.05rem; margin: 0; } h2 { font-size: .95rem; margin: 1rem 0 .3rem; } h2:first-child { margin-top: 0; }
        .dim { color: var(--dim); } .grow { flex: 1; }
        button, input, select { font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--line); border-radius: 5px;
          padding: .15rem .55rem; } button { cursor: pointer; } button:hover { border-color: var(--accent); }
        button[aria-pressed=true] { background: var(--accent); color: var(--on); }
        button:disabled { opacity: .45; cursor: default; }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
        input[type=search] { width: 15rem; } input[type=file] { display: none; }
        #slide { grid-column: 1 / -1; display: grid; grid-template: auto auto / 1fr; padding: .3rem .8rem; border-bottom: 1px solid var(--line); }
        #map { width: 100%; height: 34px; display: block; cursor: pointer; } #step { width: 100%; margin: 0; accent-color: var(--accent); }
        #left { display: grid; grid-template: auto minmax(0, 1fr) / minmax(0, 1fr); border-right: 1px solid var(--line); min-height: 0; }
        #lanes { position: relative; height: 26px; border-bottom: 1px solid var(--line); font-size: 12px; overflow: hidden; }
        #lanes span { position: absolute; bottom: 3px; transform: translateX(-50%); white-space: nowrap; max-width: 50px; overflow: hidden;
          text-overflow: ellipsis; }
        #list { overflow: auto; position: relative; } #tall { position: relative; }
        #rows { position: absolute; left: 0; right: 0; } #lines { position: absolute; left: 0; z-index: 1; pointer-events: none; overflow: visible; }
        .row { position: absolute; left: 0; right: 0; height: 22px; display: flex; gap: .6rem; align-items: center; padding-right: .5rem;
          cursor: default; white-space: nowrap; overflow: hidden; }
        .row .number, .row .time { font: 12px ui-monospace, monospace; color: var(--dim); flex: none; text-align: right; }
        .row .number { width: 3.4rem; } .row .time { width: 4.8rem; } .row .tag { margin-left: auto; }
        .row .text { font: 13px ui-monospace, monospace; overflow: hidden; text-overflow: ellipsis; }
        .row .tag { font-size: 11px; color: var(--dim); flex: none; }
        .row.found { background: var(--found); } .row.selected { background: var(--selected); } .row.pinned .number { color: var(--accent);
          font-weight: 700; }
        #list:focus-visible { outline-offset: -2px; }
        #right { overflow: auto; padding: .7rem .9rem 2rem; min-height: 0; }
        pre { margin: 0; font: 13px/1.45 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
        .steps { list-style: none; margin: 0; padding: 0; } .steps button { width: 100%; text-align: left; border: 0; background: none;
          padding: .1rem .3rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font: 13px ui-monospace, monospace; }
        .steps button:hover { background: var(--raised); }
        .tree, .tree ul { list-style: none; margin: 0; padding: 0 0 0 1.1rem; font: 13px/1.5 ui-monospace, monospace; }
        .tree { padding: 0; } .tree summary { cursor: default; margin-left: -1.1rem; } .tree .name { color: var(--dim); }
        .tree li { overflow-wrap: anywhere; padding-left: 0; } .tree li > details { padding-left: 1.1rem; }
        .changed { background: var(--new); border-radius: 3px; } mark { background: var(--new); color: inherit; }
        table { border-collapse: collapse; width: 100%; font: 13px/1.45 ui-monospace, monospace; } td, th { text-align: left;
          vertical-align: top; padding: .12rem .4rem .12rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
        th { font: 600 12px system-ui, sans-serif; color: var(--dim); } td.was { background: var(--gone); } td.is { background: var(--new); }
        dialog { color: inherit; background: var(--back); border: 1px solid var(--line); border-radius: 8px; max-width: 34rem; }
        dialog td:first-child { white-space: nowrap; font-family: ui-monospace, monospace; } dialog td { font-family: system-ui, sans-serif; }
        .away { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
        .wrong { color: var(--wrong); }
        @media (max-width: 760px) { body { grid-template: auto auto minmax(0, 1fr) minmax(0, 1fr) / minmax(0, 1fr); }
          #left { border-right: 0; border-bottom: 1px solid var(--line); } }
        """#

    static let body = #"""
        <header>
        <h1 id="title"></h1><span class="dim" id="facts"></span><span class="grow"></span>
        <label class="away" for="search">Search</label><input id="search" type="search" placeholder="Search steps ( / )" autocomplete="off">
        <span class="dim" id="hits" aria-live="polite"></span>
        <label class="away" for="kind">Kinds</label><select id="kind"></select>
        <button id="theme" title="light, dark, as the system (t)">Theme</button>
        <button id="export" title="saves the recording's data as JSON">Export</button>
        <button id="import" title="opens data that was exported">Import</button>
        <input id="file" type="file" accept=".json,application/json" aria-label="Data to import">
        <button id="help" title="the keys (?)">Keys</button>
        </header>
        <div id="slide"><canvas id="map" aria-hidden="true"></canvas><label class="away" for="step">Step</label>
        <input id="step" type="range" min="0" step="1"></div>
        <main id="left"><div id="lanes" aria-hidden="true"></div>
        <div id="list" role="listbox" tabindex="0" aria-label="Steps"><div id="tall"><svg id="lines" aria-hidden="true"></svg>
        <div id="rows" role="presentation"></div></div></div></main>
        <aside id="right" aria-label="The selected step"></aside>
        <div class="away" id="said" role="status" aria-live="polite"></div>
        <dialog id="keys" aria-label="Keys"><table><tbody>
        <tr><td>↑ ↓</td><td>the step before, the step after</td></tr>
        <tr><td>Page ↑ ↓, Home, End</td><td>a page of steps; the first, the last</td></tr>
        <tr><td>←</td><td>what caused it</td></tr><tr><td>→</td><td>the first thing that it caused</td></tr>
        <tr><td>/</td><td>search; Enter or n the next that is found, N the one before</td></tr>
        <tr><td>c</td><td>compare with this step from now on; again to end that</td></tr>
        <tr><td>g</td><td>go to a step by its number</td></tr><tr><td>t</td><td>light, dark, as the system</td></tr>
        <tr><td>Esc</td><td>ends the search</td></tr></tbody></table>
        <form method="dialog"><p><button>Close</button></p></form></dialog>
        """#
}
