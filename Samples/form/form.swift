// A form that is validated, with errors beside the fields.
//
//     swift run form                 Tab goes to the next field, Enter submits
import MoonPresentation
import Moonlight

enum Name {
    case user
    case email
    case age
}

struct Registration: Equatable {
    var form = FormState<Name>()
    /// True if the form was accepted.
    var isDone = false
}

enum Event {
    case edit(FormEdit<Name>)
    case submit
}

func update(state: inout Registration, event: Event) {
    switch event {
    case .edit(let edit): state.form.apply(edit)
    case .submit:
        state.isDone = state.form.check([
            .user: { $0.count < 3 ? "at least three letters" : nil },
            .email: { text in
                text.count { $0 == "@" } == 1 && text.split(separator: "@").count == 2 ? nil : "an address has one @"
            },
            .age: { Int($0).map { (18...130).contains($0) } == true ? nil : "a number from 18 to 130" },
        ])
    }
}

func program() -> Program<Registration, Event, Event, Void> {
    Program(Registration(), update: update) { state, screen in
        let fields = [
            FormField<Name>(.user, "User", placeholder: "ada"), FormField(.email, "E-mail", placeholder: "ada@example.org"),
            FormField(.age, "Age"),
        ]
        screen.add(
            Rows(spacing: 1) {
                Text("Register", style: .bold)
                Form(state.form, fields, edit: Event.edit, submit: .submit)
                Button("Register", press: Event.submit)
                Text(state.isDone ? "Welcome, \(state.form[.user].text)!" : "Esc quits", style: .dim)
            })
    }
    .keys([], quit: [.escape])
    // The last frame, with the welcome, stays when the program has ended.
    .display(.inline(rows: 12))
    .ends(when: \.isDone)
}

@main struct Main {
    static func main() throws { try program().run() }
}
