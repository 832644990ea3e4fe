import Foundation
import Moonlight
import MoonlightRecordingTesting
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

@testable import MoonlightRecording

@Suite("Recording: redaction")
struct RedactionTests {
    private func contains(_ bytes: [UInt8], _ text: String) -> Bool {
        let wanted = Array(text.utf8)
        return bytes.indices.contains { bytes[$0...].starts(with: wanted) }
    }

    @Test("A redacted value is not in any byte, nor in the events, effects and answers that carried it")
    func noByte() throws {
        let stage = Stage(redacting: [\.user.token, \.user.card, \.user.pin])
        stage.send(
            .typed("before"), .logIn("s3cr\"t/ü\u{1}", pin: 48_151), .pay("4111-1111"), .typed("s3cr\"t/ü\u{1}"),
            .note("s3cr\"t/ü\u{1}", count: 1))
        stage.send(.search).answer(.success(["4111-1111 is known", "48151", "148151"]))
        stage.recording.flush()
        stage.send(.logIn("other token", pin: 2342), .stamp)
        let bytes = stage.recording.bytes
        for secret in ["s3cr", "4111-1111", "other token", "2342", "t/ü"] {
            let isThere = contains(bytes, secret)
            expect(!isThere, "\(secret)")
        }
        expect(contains(bytes, "148151"))
        expect(contains(bytes, "before"))
        try expect(stage.recording.steps().contains { $0.text == "logIn(\"redacted\", pin: 0)" })
        let page = try stage.recording.page()
        let plan = try stage.recording.planSource(reducer: "desk", environment: "{ deskWorld($0) }")
        for text in [page, plan, try stage.recording.trace()] { expect(!contains(Array(text.utf8), "s3cr")) }
        stage.end()
    }

    @Test("A value that becomes secret later is removed from the kept steps")
    func later() throws {
        let stage = Stage(redacting: [\.user.token])
        stage.send(.typed("hunter2"))
        stage.recording.flush()
        expect(contains(stage.recording.bytes, "hunter2"))
        let path = temporaryPath()
        defer { removeFile(path) }
        try stage.recording.follow(in: path)
        stage.send(.logIn("hunter2", pin: 0))
        expect(!contains(stage.recording.bytes, "hunter2"))
        expect(!contains(try RecordingFile.read(path, limit: .max), "hunter2"))
        stage.end()
    }

    @Test("A redacted recording can be replayed, with placeholders for redacted values")
    func played() throws {
        let initial = Desk(user: User(token: "s3cret", pin: 12_345, card: Card(number: "4111-1111")))
        let stage = Stage(desk, initial, redacting: [\.user.token, \.user.card, \.user.pin])
        stage.send(.typed("mo"), .search).answer(.success(["x"]))
        let read = try Stage.DeskRecording(bytes: stage.recording.bytes)
        let state = try read.state(at: try #require(read.numbers).upperBound, by: desk)
        expectEqual(state.found, ["x"])
        expectEqual(state.user, User(token: "redacted", pin: 0, card: Card(number: "redacted", month: 0)))
        try expect(read.firstDifference(from: desk, environment: deskWorld) == nil)
        stage.end()
    }

    @Test("A redacted optional without a value leaves the state decodable")
    func optional() throws {
        struct Account: Codable, Equatable, Sendable {
            struct Card: Codable, Equatable, Sendable { var number: String? }
            var pin: Int?
            var card: Card?
            var count = 0
        }
        let account = Reducer<Account, Int, Int, Void>(
            transform: { _, event, _ in .just(event) }, apply: { (state: inout Account, effect: Int) in state.count = effect })
        let recording = Recording(of: account, redacting: [\.pin, \.card?.number])
        let store = Store(reducer: account, initialState: Account(), environment: (), options: LoopOptions(journal: recording))
        store.send(7)
        try expectEqual(recording.state(at: 2, by: account), Account(count: 7))
        store.cancel()
    }

    @Test("Short texts and small numbers are hidden only where they are a whole literal")
    func short() throws {
        let stage = Stage(redacting: [\.user.token, \.user.pin])
        stage.send(.logIn("ab", pin: 7), .typed("abcd"), .typed("ab"), .note("x", count: 7))
        let texts = try stage.recording.steps().filter { $0.kind == .event }.map(\.text)
        expectEqual(texts, ["logIn(\"redacted\", pin: 7)", "typed(\"abcd\")", "typed(\"redacted\")", "note(\"x\", count: 7)"])
        try expectEqual(stage.recording.reader.state(at: 2)?[["user", "pin"]], .leaf("0"))
        stage.end()
    }

    private struct Vault: Codable, Equatable, Sendable {
        var key = Data()
        var amount = 0.0
        var opened = 0
    }

    private enum Turn: Codable, Sendable {
        case key(Data)
        case amount(Double)
        case open
    }

    private static func makeVault() -> Reducer<Vault, Turn, Turn, Void> {
        Reducer(
            transform: { _, event, _ in .just(event) },
            apply: { (state: inout Vault, effect: Turn) in
                switch effect {
                case .key(let key): state.key = key
                case .amount(let amount): state.amount = amount
                case .open: state.opened += 1
                }
            })
    }

    @Test("A redacted value whose encoding differs from its description is not in any byte either")
    func encoded() throws {
        let vault = Self.makeVault()
        let recording = Recording(of: vault, redacting: [\.key, \.amount])
        let store = Store(reducer: vault, initialState: Vault(), environment: (), options: LoopOptions(journal: recording))
        let key = Data((0..<40).map { UInt8($0 * 6) })
        for event: Turn in [.key(key), .amount(1234.5), .amount(9.8765e19), .open] { store.send(event) }
        let bytes = recording.bytes
        for secret in [key.base64EncodedString(), "1234.5", "9.8765e+19", "9.8765e19", "98765000000000000000"] {
            let isThere = contains(bytes, secret)
            expect(!isThere, "\(secret)")
        }
        try expectEqual(recording.state(at: 8, by: vault).opened, 1)
        store.cancel()
    }

    @Test("A secret that changes often does not fill the memory, and secrets in the state are never forgotten")
    func bounded() {
        struct State: Equatable, Codable, Sendable {
            var typed = ""
            var kept: [String] = []
        }
        let properties: [PartialKeyPath<State> & Sendable] = [\State.typed, \State.kept]
        let values = RedactedValues<State>(properties)
        var redactor = Redactor<State>(properties, remembering: 10)
        let kept = (0..<30).map { "kept \($0)" }
        for number in 0..<200 {
            for _ in 0..<2 { _ = values.take(from: State(typed: "typed \(number)", kept: kept)) }
            let news = values.takeWaiting()
            expectEqual(news.count, number == 0 ? 2 : 1)
            redactor.learn(news)
            redactor.forget()
            expectEqual(redactor.takeNews() != nil, true)
            expect(redactor.takeNews() == nil)
        }
        let hidden = (0..<200).filter { redactor.redacted("typed \($0).") == "redacted." }
        expectEqual(hidden.suffix(11), Array(189..<200))
        expect(hidden.count < 25)
        expect(kept.allSatisfy { redactor.redacted($0) == "redacted" })
    }

    @Test("Overlapping secrets are hidden as a whole, and the text beside them is kept")
    func overlapping() {
        var secrets = SecretTexts()
        expect(secrets.isEmpty)
        for text in ["abcd", "cdefgh", "abcdx", "ab"] { secrets.add(text: text, forms: [text]) }
        secrets.add(number: "1234")
        expect(!secrets.isEmpty)
        for (text, redacted) in [
            ("", ""), ("ab", "ab"), ("abc", "abc"), ("abcd", "redacted"), ("-abcd-", "-redacted-"), ("abcdefgh", "redacted"),
            ("abcdefg", "redactedefg"), ("abcdxabcd", "redactedredacted"), ("abcdabcdabcd", "redactedredactedredacted"),
            ("abcdx cdefgh", "redacted redacted"), ("\"ab\"", "\"redacted\""), ("say \"ab\".", "say \"redacted\"."),
            ("abab", "abab"), ("1234", "0"), ("12345", "12345"), ("01234", "01234"), ("a1234b 1234", "a0b 0"),
            ("xxabcd", "xxredacted"), ("abcdy", "redactedy"), ("abcdyz", "redactedyz"), ("abcdyza", "redactedyza"),
        ] { expectEqual(secrets.redacted(text), redacted, "\(text)") }
    }
}
