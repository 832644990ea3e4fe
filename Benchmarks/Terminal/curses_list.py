import curses


def main(screen):
    curses.curs_set(0)
    rows = [f"row {number}" for number in range(1000)]
    selected = first = 0
    while True:
        height, width = screen.getmaxyx()
        first = min(max(first, selected - height + 1), selected)
        for line in range(height):
            text = rows[first + line].ljust(width)[: width - 1]
            screen.addstr(line, 0, text, curses.A_REVERSE if first + line == selected else curses.A_NORMAL)
        screen.refresh()
        key = screen.getch()
        if key == curses.KEY_DOWN:
            selected = min(selected + 1, len(rows) - 1)
        elif key == curses.KEY_UP:
            selected = max(selected - 1, 0)
        elif key == ord("q"):
            return


curses.wrapper(main)
