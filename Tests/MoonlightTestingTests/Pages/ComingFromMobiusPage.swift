import Moonlight
import MoonlightTesting
import Streams
import Testing

private struct Login: Equatable, Sendable {
    var email = ""
    var isBusy = false
    var problem: String?
    var user: String?
}

private enum LoginEvent: Sendable {
    case typed(String)
    case submit(password: String)
}

private enum LoginEffect: Sendable {
    case typed(String)
    case begun
    case succeeded(String)
    case failed
}

private struct LoginEnvironment: Sendable {
    var attempt: @Sendable (String, String) -> AnyPublisher<String, WrongPassword>
}

private let login = Reducer<Login, LoginEvent, LoginEffect, LoginEnvironment>(
    transform: { model, event, environment in
        switch event {
        case .typed(let text):
            return Just(.typed(text)).eraseToAnyPublisher()
        case .submit(let password):
            guard model.email.contains("@") else { throw Rejection("that is no address") }
            return environment.attempt(model.email, password)
                .map(LoginEffect.succeeded)
                .replaceError(with: .failed)
                .prepend(.begun)
                .eraseToAnyPublisher()
        }
    },
    apply: { model, effect in
        switch effect {
        case .typed(let text): model.email = text
        case .begun: (model.isBusy, model.problem) = (true, nil)
        case .succeeded(let user): (model.isBusy, model.user) = (false, user)
        case .failed: (model.isBusy, model.problem) = (false, "wrong password")
        }
    })

private struct WrongPassword: Error {}

private let attempt = Stub<(String, String), String, WrongPassword>("attempt")

@Suite("Page: ComingFromMobius")
struct ComingFromMobiusPage {
    @Test("A login that succeeds or fails follows the plan of the page")
    func loggingIn() throws {
        try Plan(login, given: Login(email: "ann@example.com")) { LoginEnvironment(attempt: $0.publisher(attempt)) }
            .when(.submit(password: "sesame"))
            .expect(attempt("ann@example.com", "sesame"))
            .then(\.isBusy, equals: true)
            .fork("wrong password") {
                $0.fail(attempt("ann@example.com", "sesame"), with: WrongPassword()).then(\.problem, equals: "wrong password")
            }
            .resolve(attempt("ann@example.com", "sesame"), with: "Ann")
            .then(\.user, equals: "Ann")
            .run()
    }

    @Test("A text that is no email address is refused")
    func refused() throws {
        try Plan(login, given: Login()) { LoginEnvironment(attempt: $0.publisher(attempt)) }
            .when(.typed("ann"))
            .rejects(.submit(password: "sesame"))
            .run()
    }
}
