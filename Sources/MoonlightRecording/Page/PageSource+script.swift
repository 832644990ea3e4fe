extension PageSource {
    static let script = #"""
        'use strict';
        const KINDS = ['event', 'effect', 'job', 'reaction', 'rejected', 'effectRejected', 'call', 'answer', 'note'];
        const NAMES = ['event', 'effect', 'job', 'reaction', 'rejected event', 'rejected effect', 'call', 'answer', 'note'];
        // The lane of each kind for the root; the steps of a child are in the lane of that child.
        const LANE = [0, 1, 2, 3, 0, 1, 2, 2, 3], LANES = ['events', 'effects', 'jobs', 'reactions'];
        const COLOUR = ['event', 'effect', 'job', 'reaction', 'wrong', 'wrong', 'job', 'job', 'other'];
        const ROW = 22, WIDTH = 52, MOST_CHILDREN = 8, KEYFRAME = 128;
        const $ = id => document.getElementById(id);
        const began = performance.now();
        let data, count, numbers, times, causes, lanes, children, keyframes, effectsOf;
        let shown, placeOf, selected = 0, pinned = null, found = [], query = '';

        // Reading, with the checks that a file from elsewhere needs.
        function read(json) {
          const wrong = what => { throw new Error('this is not a recording of this page: ' + what); };
          if (!json || typeof json != 'object' || json.v !== 1) wrong('its version is ' + (json && json.v) + ', not 1');
          const isArray = Array.isArray, size = isArray(json.n) ? json.n.length : wrong('no steps');
          for (const key of ['k', 'l', 't', 'c', 'a', 'd'])
            if (!isArray(json[key]) || json[key].length != size) wrong('“' + key + '” has not ' + size + ' entries');
          for (const key of ['n', 'k', 'l', 't', 'c', 'a'])
            if (!json[key].every(Number.isSafeInteger)) wrong('“' + key + '” has what is no number');
          if (!isArray(json.strings) || !json.strings.every(text => typeof text == 'string')) wrong('no texts');
          const isText = index => Number.isSafeInteger(index) && index >= 0 && index < json.strings.length;
          const isTree = (tree, depth) => depth < 500 && (isText(tree) || isArray(tree) && tree.length == 2 && isText(tree[0])
            && isArray(tree[1]) && tree[1].length % 2 == 0 && tree[1].every((part, at) => at % 2 ? isTree(part, depth + 1) : isText(part)));
          if (!isTree(json.state, 0)) wrong('the state is no tree');
          for (let row = 0; row < size; row++) {
            if (!isText(json.t[row]) || json.l[row] < 0 || json.l[row] > json.strings.length) wrong('step ' + row + ' has no text');
            if (json.k[row] < 0 || json.k[row] >= KINDS.length) wrong('step ' + row + ' is of an unknown kind');
            if (json.c[row] < 0) wrong('step ' + row + ' is caused by a later one');
            const changes = json.d[row];
            if (changes !== 0 && !(isArray(changes) && changes.length % 2 == 0 && changes.every((part, at) => at % 2
              ? part === null || isTree(part, 0) : isArray(part) && part.every(isText)))) wrong('step ' + row + ' changes what is no tree');
          }
          return json;
        }

        function open(json) {
          data = json; count = data.n.length;
          numbers = new Float64Array(count); times = new Float64Array(count); causes = new Int32Array(count).fill(-1);
          lanes = new Uint16Array(count); effectsOf = new Map(); keyframes = [tree(data.state)]; children = [];
          const rowOf = new Map(), laneOf = new Map();
          let number = 0, time = 0;
          for (let row = 0; row < count; row++) {
            number += data.n[row]; time += data.a[row];
            numbers[row] = number; times[row] = time; rowOf.set(number, row);
            const cause = data.c[row] ? rowOf.get(number - data.c[row]) : undefined;
            if (cause !== undefined) {
              causes[row] = cause;
              if (effectsOf.has(cause)) effectsOf.get(cause).push(row); else effectsOf.set(cause, [row]);
            }
            const child = data.l[row] - 1;
            if (child < 0) lanes[row] = LANE[data.k[row]];
            else {
              if (!laneOf.has(child)) {
                if (children.length < MOST_CHILDREN) children.push(data.strings[child]);
                else if (children.length == MOST_CHILDREN) children.push('others');
                laneOf.set(child, LANES.length + children.length - 1);
              }
              lanes[row] = laneOf.get(child);
            }
          }
          document.title = data.title;
          $('title').textContent = data.title;
          $('facts').textContent = count.toLocaleString('en') + (count == 1 ? ' step' : ' steps') + (data.start ? ', from ' + data.start : '')
            + (count ? ', ' + seconds(times[count - 1]) : '');
          const kinds = KINDS.map((kind, index) => index).filter(index => data.k.includes(index));
          $('kind').replaceChildren(element('option', { value: '' }, 'all steps'),
            ...kinds.map(index => element('option', { value: index }, NAMES[index] + 's')));
          $('step').max = Math.max(0, count - 1);
          pinned = null;
          filter(); find(''); $('search').value = '';
          select(0);
        }

        const seconds = time => time < 1e3 ? time + ' µs' : time < 1e6 ? (time / 1e3).toFixed(1) + ' ms' : (time / 1e6).toFixed(2) + ' s';
        const text = row => data.strings[data.t[row]];
        const child = row => data.l[row] ? data.strings[data.l[row] - 1] : '';

        // Trees: a text, or a type and a map of parts. A tree is never changed; a change copies the way to it.
        function tree(json) {
          if (!Array.isArray(json)) return data.strings[json];
          const parts = new Map();
          for (let at = 0; at < json[1].length; at += 2) parts.set(data.strings[json[1][at]], tree(json[1][at + 1]));
          return { type: data.strings[json[0]], parts };
        }
        function changed(whole, path, at, value) {
          if (at == path.length) return value;
          const parts = new Map(typeof whole == 'string' ? [] : whole.parts), name = data.strings[path[at]];
          const part = changed(parts.has(name) ? parts.get(name) : '', path, at + 1, value);
          if (part === null) parts.delete(name); else parts.set(name, part);
          return { type: typeof whole == 'string' ? '' : whole.type, parts };
        }
        function after(state, row) {
          const changes = data.d[row];
          if (changes) for (let at = 0; at < changes.length; at += 2)
            state = changed(state, changes[at], 0, changes[at + 1] === null ? null : tree(changes[at + 1])) ?? '';
          return state;
        }
        // The state after a row; before the first for -1.
        function state(row) {
          const frame = Math.floor((row + 1) / KEYFRAME);
          for (let next = keyframes.length; next <= frame; next++) {
            let state = keyframes[next - 1];
            for (let at = (next - 1) * KEYFRAME; at < next * KEYFRAME; at++) state = after(state, at);
            keyframes.push(state);
          }
          let state = keyframes[frame];
          for (let at = frame * KEYFRAME; at <= row; at++) state = after(state, at);
          return state;
        }
        function differences(one, other, path = [], all = []) {
          if (one === other || all.length > 500) return all;
          if (typeof one == 'object' && typeof other == 'object' && one && other && one.type == other.type) {
            for (const [name, part] of other.parts) differences(one.parts.get(name) ?? null, part, [...path, name], all);
            for (const [name, part] of one.parts) if (!other.parts.has(name)) differences(part, null, [...path, name], all);
          } else if (one === null || other === null || write(one) != write(other)) all.push([path.join('.') || 'all', one, other]);
          return all;
        }
        function write(tree) {
          if (tree === null) return '';
          if (typeof tree == 'string') return tree;
          const isKeyed = tree.type == '[:]', isList = tree.type == '[]' || tree.type == 'Set';
          if (isKeyed && !tree.parts.size) return '[:]';
          const parts = [...tree.parts].map(([name, part]) => (isList || !isKeyed && /^[0-9]+$/.test(name) ? '' : name + ': ') + write(part)).join(', ');
          return isKeyed || isList ? '[' + parts + ']' : (tree.type == '()' ? '' : tree.type) + '(' + parts + ')';
        }

        // Returns the listed rows.
        function filter() {
          const kind = $('kind').value;
          shown = kind === '' ? null : [...data.k.keys()].filter(row => data.k[row] == kind);
          placeOf = shown && new Map(shown.map((row, place) => [row, place]));
          $('tall').style.height = length() * ROW + 'px';
          $('tall').style.minHeight = '100%';
          draw(); drawMap();
        }
        const length = () => shown ? shown.length : count;
        const rowAt = place => shown ? shown[place] : place;
        // The place of a row in the list, or of the last one before it.
        function place(row) {
          if (!shown) return row;
          let low = 0, high = shown.length;
          while (low < high) { const middle = low + high >> 1; if (shown[middle] <= row) low = middle + 1; else high = middle; }
          return low - 1;
        }

        function select(row, isQuiet) {
          if (!count) { $('right').replaceChildren(element('p', {}, 'No step was recorded.'), stateView(state(-1), new Set())); return; }
          selected = Math.max(0, Math.min(count - 1, row));
          $('step').value = selected;
          $('step').setAttribute('aria-valuetext', 'step ' + numbers[selected]);
          const top = Math.max(0, place(selected)) * ROW, list = $('list');
          if (top < list.scrollTop + ROW) list.scrollTop = top - ROW;
          else if (top > list.scrollTop + list.clientHeight - 2 * ROW) list.scrollTop = top - list.clientHeight + 2 * ROW;
          draw(); drawMap(); detail();
          if (!isQuiet) $('said').textContent = 'step ' + numbers[selected] + ', ' + NAMES[data.k[selected]] + ', ' + text(selected);
          clearTimeout(select.timer);
          select.timer = setTimeout(() => { try { history.replaceState(null, '', '#' + numbers[selected]); } catch { } }, 300);
        }

        function element(name, attributes, ...content) {
          const made = document.createElement(name);
          for (const [key, value] of Object.entries(attributes))
            if (key.startsWith('on')) made[key] = value; else if (value !== null) made.setAttribute(key, value);
          made.append(...content);
          return made;
        }
        const middle = lane => lane * WIDTH + WIDTH / 2;
        const laneCount = () => LANES.length + children.length;

        // The visible part of the list, with some rows around it.
        function draw() {
          const list = $('list'), from = Math.max(0, Math.floor(list.scrollTop / ROW) - 8);
          const to = Math.min(length(), Math.ceil((list.scrollTop + (list.clientHeight || 600)) / ROW) + 8);
          const width = laneCount() * WIDTH, isFound = new Set(found), rows = [];
          for (let at = from; at < to; at++) {
            const row = rowAt(at);
            const marks = [row == selected && 'selected', isFound.has(row) && 'found', row === pinned && 'pinned'].filter(Boolean);
            rows.push(element('div', { class: ['row', ...marks].join(' '), style: 'top:' + at * ROW + 'px;padding-left:' + width + 'px', id: 'row' + row,
              role: 'option', 'aria-selected': row == selected, 'aria-setsize': length(), 'aria-posinset': at + 1, 'data-row': row },
              element('span', { class: 'number' }, String(numbers[row])), element('span', { class: 'time' }, seconds(times[row])),
              element('span', { class: 'text' }, text(row)),
              element('span', { class: 'tag' }, [NAMES[data.k[row]], child(row)].filter(Boolean).join(' · '))));
          }
          $('rows').replaceChildren(...rows);
          list.setAttribute('aria-activedescendant', 'row' + selected);
          drawLines(from, to, width);
        }

        // Marks and the lines from causes; those of the selected step's chain stand out.
        function drawLines(from, to, width) {
          const chain = new Set([selected]);
          for (let row = causes[selected] ?? -1; row >= 0; row = causes[row]) chain.add(row);
          for (const row of effectsOf.get(selected) ?? []) chain.add(row);
          const y = at => at * ROW + ROW / 2, lines = [], marks = [];
          for (let lane = 0; lane < laneCount(); lane++)
            lines.push(`<line x1="${middle(lane)}" x2="${middle(lane)}" y1="${from * ROW}" y2="${to * ROW}" stroke="var(--line)"/>`);
          const line = row => {
            const cause = causes[row];
            if (cause < 0 || shown && !(placeOf.has(row) && placeOf.has(cause))) return;
            const [x1, y1, x2, y2] = [middle(lanes[cause]), y(place(cause)), middle(lanes[row]), y(place(row))];
            const stands = chain.has(row) && chain.has(cause), bend = Math.min(ROW, (y2 - y1) / 2);
            lines.push(`<path d="M${x1} ${y1} C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}" fill="none" stroke="${stands
              ? 'var(--accent)' : 'var(--line)'}" stroke-width="${stands ? 2 : 1}"/>`);
          };
          for (let at = from; at < to; at++) {
            const row = rowAt(at), x = middle(lanes[row]), fill = `var(--${COLOUR[data.k[row]]})`, top = y(at);
            line(row);
            const shape = [0, 4].includes(data.k[row]) ? `<circle cx="${x}" cy="${top}" r="5"` : [1, 5].includes(data.k[row])
              ? `<path d="M${x} ${top - 6} l6 6 l-6 6 l-6 -6 z"` : [2, 6, 7].includes(data.k[row])
              ? `<path d="M${x} ${top - 6} l6 11 l-12 0 z"` : `<rect x="${x - 5}" y="${top - 5}" width="10" height="10"`;
            marks.push(shape + ` fill="${fill}"` + (row == selected ? ' stroke="var(--text)" stroke-width="1.5"' : '') + '/>');
          }
          // The chain is drawn even if its ends are not visible.
          for (const row of chain) { const at = place(row); if (at < from || at >= to) line(row); }
          const svg = $('lines');
          svg.setAttribute('width', width); svg.setAttribute('height', Math.max(1, length() * ROW));
          svg.innerHTML = lines.join('') + marks.join('');
          $('lanes').replaceChildren(...[...LANES, ...children].map((name, lane) =>
            element('span', { style: 'left:' + middle(lane) + 'px', title: name }, name)));
        }

        // The density of steps over the recording, by lane.
        function drawMap() {
          const map = $('map'), scale = devicePixelRatio || 1, width = map.clientWidth, height = map.clientHeight;
          map.width = width * scale; map.height = height * scale;
          const canvas = map.getContext('2d'), style = getComputedStyle(document.documentElement);
          canvas.scale(scale, scale);
          const colours = COLOUR.map(name => style.getPropertyValue('--' + name)), total = laneCount(), thick = height / total;
          const stride = Math.max(1, Math.floor(count / 20000));
          for (let row = 0; row < count; row += stride) {
            canvas.fillStyle = colours[data.k[row]];
            canvas.fillRect(row / count * width, lanes[row] * thick, Math.max(1, width / count - 1), Math.max(1, thick - 1));
          }
          canvas.fillStyle = style.getPropertyValue('--found');
          canvas.globalAlpha = .9;
          for (const row of found.slice(0, 5000)) canvas.fillRect(row / count * width, 0, 2, height);
          canvas.fillStyle = style.getPropertyValue('--text');
          canvas.fillRect((selected + .5) / Math.max(1, count) * width - 1, 0, 2, height);
        }

        function stepButton(row) {
          return element('li', {}, element('button', { onclick: () => { select(row); $('list').focus(); } },
            numbers[row] + '  ' + NAMES[data.k[row]] + '  ' + text(row)));
        }
        function stepList(rows, most = 50) {
          const list = element('ul', { class: 'steps' }, ...rows.slice(0, most).map(stepButton));
          if (rows.length > most) list.append(element('li', { class: 'dim' }, 'and ' + (rows.length - most) + ' more'));
          return list;
        }
        function stateView(whole, paths) {
          const view = (name, tree, path, depth) => {
            const label = name === null ? [] : [element('span', { class: 'name' }, name + ': ')];
            const isChanged = paths.has(path), holds = [...paths].some(changed => path === '' || changed.startsWith(path + '.'));
            if (typeof tree == 'string' || !tree.parts.size) return element('li', {}, ...label,
              element('span', isChanged ? { class: 'changed' } : {}, typeof tree == 'string' ? tree : tree.type));
            const details = element('details', {}, element('summary', {}, ...label, element('span', isChanged ? { class: 'changed' } : {},
              (tree.type || '') + (/^(Array|Dictionary|Set|\[)/.test(tree.type) ? ' of ' + tree.parts.size : ''))));
            const fill = () => {
              if (details.lastChild.tagName == 'UL') return;
              const items = [];
              for (const [part, value] of tree.parts) {
                if (items.length == 1000) { items.push(element('li', { class: 'dim' }, 'and ' + (tree.parts.size - 1000) + ' more')); break; }
                items.push(view(part, value, path === '' ? part : path + '.' + part, depth + 1));
              }
              details.append(element('ul', {}, ...items));
            };
            details.addEventListener('toggle', fill);
            if (depth < 1 || holds || isChanged || tree.parts.size <= 6 && depth < 3) { fill(); details.open = true; }
            return element('li', {}, details);
          };
          return element('ul', { class: 'tree' }, view(null, whole, '', 0));
        }

        function detail() {
          const row = selected, now = state(row), base = pinned === null ? state(row - 1) : state(pinned);
          const changes = differences(base, now), chain = [];
          for (let cause = causes[row]; cause >= 0; cause = causes[cause]) chain.push(cause);
          const isWrong = data.k[row] == 4 || data.k[row] == 5;
          const compare = element('button', { id: 'compare', 'aria-pressed': pinned !== null, onclick: pin },
            pinned === null ? 'Compare with this step' : 'Compared with ' + numbers[pinned] + ' — end');
          const table = element('table', { id: 'differences' }, element('thead', {}, element('tr', {}, element('th', { scope: 'col' }, 'what'),
            element('th', { scope: 'col' }, 'was'), element('th', { scope: 'col' }, 'is'))), element('tbody', {}, ...changes.slice(0, 500).map(
            ([path, was, is]) => element('tr', {}, element('td', {}, path), element('td', { class: was === null ? '' : 'was' }, write(was)),
              element('td', { class: is === null ? '' : 'is' }, write(is))))));
          const effects = effectsOf.get(row) ?? [];
          $('right').replaceChildren(
            element('h2', {}, 'Step ' + numbers[row] + ': ' + NAMES[data.k[row]] + (child(row) ? ' of ' + child(row) : '')),
            element('pre', isWrong ? { class: 'wrong' } : {}, text(row)), element('p', { class: 'dim' }, 'after ' + seconds(times[row])), compare,
            element('h2', {}, pinned === null ? 'What it changed' : 'From step ' + numbers[pinned] + ' to step ' + numbers[row]),
            changes.length ? table : element('p', { class: 'dim' }, 'nothing'),
            ...(changes.length > 500 ? [element('p', { class: 'dim' }, 'and more')] : []),
            element('h2', {}, 'Why'), chain.length ? stepList(chain) : element('p', { class: 'dim' }, 'it came from outside'),
            element('h2', {}, 'What followed'), effects.length ? stepList(effects) : element('p', { class: 'dim' }, 'nothing'),
            element('h2', {}, 'State'), stateView(now, new Set(changes.map(([path]) => path))));
        }
        function pin() { pinned = pinned === null ? selected : null; draw(); detail(); }

        function find(words) {
          query = words.toLowerCase();
          found = [];
          if (query) {
            const isIn = data.strings.map(text => text.toLowerCase().includes(query));
            for (let row = 0; row < count; row++) if (isIn[data.t[row]] || data.l[row] && isIn[data.l[row] - 1]) found.push(row);
          }
          tellHits();
        }
        function tellHits() {
          const at = found.indexOf(selected);
          $('hits').textContent = !query ? '' : !found.length ? 'not found' : (at < 0 ? '' : at + 1 + ' of ') + found.length + (at < 0 ? ' found' : '');
        }
        function next(way) {
          if (!found.length) return;
          let at = way > 0 ? found.findIndex(row => row > selected) : found.findLastIndex(row => row < selected);
          if (at < 0) at = way > 0 ? 0 : found.length - 1;
          select(found[at]); tellHits();
        }
        function move(by) { select(rowAt(Math.max(0, Math.min(length() - 1, place(selected) + by))) ?? selected); tellHits(); }

        function theme() {
          const root = document.documentElement, order = [undefined, 'light', 'dark'];
          const next = order[(order.indexOf(root.dataset.theme) + 1) % 3];
          if (next) root.dataset.theme = next; else delete root.dataset.theme;
          $('theme').textContent = 'Theme' + (next ? ': ' + next : '');
          drawMap();
        }
        function goTo(words) {
          const number = Number(words);
          if (words === '' || !Number.isFinite(number) || !count) return;
          select(rowOf(number));
        }
        // The row of a step, or of the last one before it.
        function rowOf(number) {
          let low = 0, high = count - 1;
          while (low < high) { const middle = low + high + 1 >> 1; if (numbers[middle] <= number) low = middle; else high = middle - 1; }
          return low;
        }

        document.addEventListener('keydown', event => {
          if (event.ctrlKey || event.metaKey || event.altKey || $('keys').open) return;
          const isTyping = event.target == $('search'), isElsewhere = ['SELECT', 'SUMMARY'].includes(event.target.tagName);
          const page = Math.max(1, Math.floor($('list').clientHeight / ROW) - 2);
          if (isTyping) {
            if (event.key == 'Escape') { $('search').value = ''; find(''); draw(); drawMap(); $('list').focus(); }
            else if (event.key == 'Enter') next(event.shiftKey ? -1 : 1);
            else if (event.key == 'ArrowDown' || event.key == 'ArrowUp') next(event.key == 'ArrowDown' ? 1 : -1);
            else return;
            return event.preventDefault();
          }
          const isList = event.target == $('list') || event.target == document.body || event.target == $('step');
          const does = {
            '/': () => $('search').focus(), '?': () => $('keys').showModal(), n: () => next(1), N: () => next(-1), c: pin, t: theme,
            g: () => goTo(prompt('Go to step', numbers[selected]) ?? ''), ...(isList && !isElsewhere ? {
              ArrowUp: () => move(-1), ArrowDown: () => move(1), PageUp: () => move(-page), PageDown: () => move(page),
              Home: () => move(-count), End: () => move(count), ArrowLeft: () => { if (causes[selected] >= 0) select(causes[selected]); },
              ArrowRight: () => { const effects = effectsOf.get(selected); if (effects) select(effects[0]); } } : {}),
          }[event.key];
          if (!does || isElsewhere) return;
          event.preventDefault(); does();
        });
        $('list').addEventListener('scroll', () => { cancelAnimationFrame(draw.frame); draw.frame = requestAnimationFrame(draw); });
        $('rows').addEventListener('click', event => {
          const row = event.target.closest('.row');
          if (row) { select(Number(row.dataset.row)); tellHits(); }
        });
        $('map').addEventListener('pointerdown', event => select(Math.floor(event.offsetX / $('map').clientWidth * count)));
        $('map').addEventListener('pointermove', event => { if (event.buttons) select(Math.floor(event.offsetX / $('map').clientWidth * count)); });
        $('step').addEventListener('input', () => select(Number($('step').value)));
        $('search').addEventListener('input', () => {
          find($('search').value.trim());
          if (found.length && !found.includes(selected)) select(found.find(row => row >= selected) ?? found[0]);
          tellHits(); draw(); drawMap();
        });
        $('kind').addEventListener('change', () => { filter(); select(rowAt(Math.max(0, place(selected))) ?? selected); });
        $('theme').onclick = theme; $('help').onclick = () => $('keys').showModal();
        $('export').onclick = () => {
          const link = element('a', { download: (data.title.replace(/[^\w.-]+/g, '-') || 'recording') + '.json',
            href: URL.createObjectURL(new Blob([JSON.stringify(data)], { type: 'application/json' })) });
          link.click(); URL.revokeObjectURL(link.href);
        };
        $('import').onclick = () => $('file').click();
        $('file').onchange = async () => {
          const file = $('file').files[0];
          $('file').value = '';
          if (!file) return;
          try { open(read(JSON.parse(await file.text()))); if (live) live.close(); $('said').textContent = 'opened ' + file.name; }
          catch (error) { alert(file.name + ': ' + error.message); }
        };
        matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawMap);
        addEventListener('resize', () => { draw(); drawMap(); });
        addEventListener('hashchange', () => goTo(location.hash.slice(1)));
        open(read(JSON.parse($('data').textContent)));
        if (location.hash.length > 1) goTo(location.hash.slice(1));
        document.documentElement.dataset.opened = Math.round(performance.now() - began);
        """#
}

extension PageSource {
    /// The script that keeps a served page up to date. It comes after ``script``, whose functions it calls.
    static let updates = #"""
        // A page that a running program serves receives new steps; the selected step, the search and the filter stay the same.
        const updates = $('data').dataset.updates;
        let live = null;
        function renew(json) {
          const number = numbers[selected], isLast = selected >= count - 1, other = pinned === null ? null : numbers[pinned];
          const kind = $('kind').value, words = $('search').value, top = $('list').scrollTop;
          open(json);
          $('kind').value = [...$('kind').options].some(option => option.value == kind) ? kind : '';
          $('search').value = words;
          filter(); find(words.trim());
          pinned = other === null || !count ? null : rowOf(other);
          select(isLast ? count - 1 : rowOf(number), true);
          if (!isLast) { $('list').scrollTop = top; draw(); }
          tellHits(); isLive(true);
        }
        function isLive(is) { $('facts').textContent = $('facts').textContent.replace(/, (not )?live$/, '') + (is ? ', live' : ', not live'); }
        function follow() {
          live = new EventSource(updates + location.search);
          live.onopen = () => isLive(true);
          live.onerror = () => isLive(false);
          live.onmessage = event => renew(read(JSON.parse(event.data)));
        }
        if (updates) follow();
        """#
}
