import urwid

rows = [urwid.AttrMap(urwid.SelectableIcon(f"row {number}", 0), None, "chosen") for number in range(1000)]


def other(key):
    if key == "q":
        raise urwid.ExitMainLoop()


urwid.MainLoop(
    urwid.ListBox(urwid.SimpleFocusListWalker(rows)), [("chosen", "standout", "")], unhandled_input=other, handle_mouse=False).run()
