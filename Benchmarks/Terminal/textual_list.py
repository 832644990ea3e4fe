from textual.app import App
from textual.widgets import OptionList


class Rows(App):
    BINDINGS = [("q", "quit", "quit")]
    ENABLE_COMMAND_PALETTE = False

    def compose(self):
        yield OptionList(*[f"row {number}" for number in range(1000)])


Rows().run()
