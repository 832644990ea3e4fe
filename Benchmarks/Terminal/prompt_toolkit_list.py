from prompt_toolkit.application import Application
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.layout.controls import FormattedTextControl
from prompt_toolkit.layout.screen import Point

rows = [f"row {number}\n" for number in range(1000)]
selected = 0
keys = KeyBindings()


@keys.add("down")
def down(_):
    global selected
    selected = min(selected + 1, len(rows) - 1)


@keys.add("up")
def up(_):
    global selected
    selected = max(selected - 1, 0)


@keys.add("q")
def leave(event):
    event.app.exit()


def text():
    return [("reverse" if number == selected else "", row) for number, row in enumerate(rows)]


control = FormattedTextControl(text, focusable=True, show_cursor=False, get_cursor_position=lambda: Point(0, selected))
Application(layout=Layout(Window(control)), key_bindings=keys, full_screen=True).run()
