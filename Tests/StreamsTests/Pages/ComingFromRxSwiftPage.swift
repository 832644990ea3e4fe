import Streams
import Testing

private struct WrongPassword: Error {}

private enum Session: Equatable, Sendable {
    case open(String)
    case refused
}

@Suite("Page: ComingFromRxSwift")
struct ComingFromRxSwiftPage {
    @Test("A login form enables its button and logs in with the latest name")
    func form() {
        let (name, password) = (CurrentValueSubject<String, Never>(""), CurrentValueSubject<String, Never>(""))
        let taps = PassthroughSubject<Void, Never>()
        let logIn: @Sendable (String) -> AnyPublisher<String, WrongPassword> = { name in
            name == "ann"
                ? Just(name).setFailureType(to: WrongPassword.self).eraseToAnyPublisher()
                : Fail(error: WrongPassword()).eraseToAnyPublisher()
        }
        let (enabled, opened) = (Log<Bool>(), Log<Session>())

        let canLogIn = name.combineLatest(password)
            .map { name, password in !name.isEmpty && password.count >= 8 }
            .removeDuplicates()
        let sessions =
            taps
            .withLatestFrom(name)
            .flatMapLatest { name in
                logIn(name).map(Session.open).replaceError(with: .refused)
            }

        let subscriptions = [canLogIn.sink { enabled.append($0) }, sessions.sink { opened.append($0) }]
        name.send("bob")
        password.send("open sesame")
        taps.send()
        name.send("ann")
        taps.send()
        #expect(enabled.items == [false, true])
        #expect(opened.items == [.refused, .open("ann")])
        for subscription in subscriptions { subscription.cancel() }
    }
}
