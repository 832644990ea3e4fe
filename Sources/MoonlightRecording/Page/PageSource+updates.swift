extension PageSource {
    /// What keeps a page up to date that a running program serves. It stands behind ``script``, whose functions it calls.
    static let updates = #"""
        // A page that a running program serves is told what was added; the step, the search and the filter stay as they are.
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
