import Foundation
import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Synchronization
import Testing

@testable import MoonlightRecording

/// A state of a generic type, with names for everything that may be redacted.
private struct Vault<Label: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
    var token = ""
    var tokens: [String] = []
    var byName: [String: String] = [:]
    var label: Label
    var count = 0
}

/// A state with a secret whose `==` ignores it.
private struct Careless: Codable, Equatable, Sendable {
    struct Secret: Codable, Equatable, Sendable {
        var text = ""
        static func == (one: Self, other: Self) -> Bool { true }
    }

    var token = Secret()
    var count = 0
}

private enum Turn<State: Codable & Equatable & Sendable>: Codable, Sendable {
    case says(String)
    case becomes(State)
}

private func makeVault<State>(_: State.Type) -> Reducer<State, Turn<State>, Turn<State>, Void> {
    Reducer(
        transform: { _, event, _ in .just(event) },
        apply: { (state: inout State, turn: Turn<State>) in if case .becomes(let next) = turn { state = next } })
}

@Suite("Recording: secrets")
struct SecretsTests {
    private typealias Named = Vault<String>

    /// Plays turns, and returns all texts that a recording exposes.
    private func texts<State>(
        _ initial: State, keeping: RecordingBound = .last(10_000), redacting: [PartialKeyPath<State> & Sendable],
        name: String? = nil, flushing: Bool = true, _ turns: [Turn<State>]
    ) throws -> [String] {
        let vault = makeVault(State.self)
        let recording = Recording(of: vault, keeping: keeping, redacting: redacting, encodesByItself: false, clock: { .now })
        let path = temporaryPath()
        defer { removeFile(path) }
        try recording.follow(in: path)
        let store = Store(
            reducer: vault, initialState: initial, environment: (), options: LoopOptions(name: name, journal: recording))
        for turn in turns {
            store.send(turn)
            if flushing { recording.flush() }
        }
        store.cancel()
        recording.flush()
        return try [
            String(decoding: recording.bytes, as: UTF8.self),
            String(decoding: RecordingFile.read(path, limit: .max), as: UTF8.self),
            recording.trace(), recording.planSource(reducer: "vault", environment: "{ _ in }"), recording.page(),
        ]
    }

    @Test("A secret is hidden in each form of Unicode", arguments: [true, false])
    func forms(flushing: Bool) throws {
        let (composed, decomposed) = ("caf\u{e9}-p\u{e4}ssword", "cafe\u{301}-pa\u{308}ssword")
        let mixed = "caf\u{e9}-pa\u{308}ssword"
        for (first, second) in [(composed, decomposed), (decomposed, composed)] {
            let texts = try texts(
                Named(label: "x"), redacting: [\.token], flushing: flushing,
                [
                    .becomes(Named(token: first, label: "a")), .says("1\(first)."), .becomes(Named(token: second, label: "b")),
                    .says("2\(second)."), .says("3\(mixed)."), .says("\(mixed) \u{1F680}"), .says("caf\u{e9} stays"),
                ])
            for text in texts {
                for part in ["ssword", "caf\u{e9}-", "cafe\u{301}-"] { expect(!Self.contains(text, part), "\(part)") }
            }
            for (number, text) in texts.enumerated() where number < 3 { expect(Self.contains(text, "caf\u{e9} stays")) }
        }
    }

    @Test("A secret with characters that some texts escape and others do not is hidden", arguments: [true, false])
    func escaped(isQuoted: Bool) throws {
        let secret = "\u{202E}pass\u{A0}sword\(isQuoted ? "\"" : "")"
        let turns: [Turn<Named>] = [.becomes(Named(token: secret, label: "a")), .says("1 \(secret)")]
        for text in try texts(Named(label: "x"), redacting: [\.token], turns) { expect(!Self.contains(text, "sword")) }
    }

    @Test("A secret that begins with a mark is hidden behind other characters, which the mark combines with")
    func leadingMark() throws {
        for secret in ["\u{301}hunter\u{A0}word", "\u{301}\u{308}hunter\"word", "\u{20DD}hunter\u{202E}word"] {
            let turns: [Turn<Named>] = [
                .becomes(Named(token: secret, label: "a")), .says("cafe" + secret), .says(secret), .says("\"" + secret),
                .says(String(reflecting: "cafe" + secret)),
            ]
            for text in try texts(Named(label: "x"), redacting: [\.token], turns) {
                expect(!Self.contains(text, "hunter"), "\(secret.unicodeScalars.map(\.value))")
            }
        }
    }

    @Test("A secret that begins with a mark is hidden behind other characters in each form of Unicode")
    func leadingMarkInEachForm() throws {
        let pairs = [
            ("\u{301}hunter-caf\u{e9}", "\u{301}hunter-cafe\u{301}"), ("\u{301}hunter-cafe\u{301}", "\u{301}hunter-caf\u{e9}"),
            ("\u{1161}hunter-caf\u{e9}", "\u{1161}hunter-cafe\u{301}"),
        ]
        for (secret, other) in pairs {
            let turns: [Turn<Named>] = [
                .becomes(Named(token: secret, label: "a")), .says("e" + other), .says("\u{1100}" + other), .says(other),
            ]
            for text in try texts(Named(label: "x"), redacting: [\.token], name: "loop " + other, turns) {
                expect(!Self.contains(text, "hunter"), "\(secret.unicodeScalars.map(\.value))")
            }
        }
    }

    @Test("A secret is hidden beside joiners, marks and line feeds that make other characters of its ends")
    func joined() throws {
        let pairs = [
            // A joiner after the secret, and before it.
            ("p\u{e4}ssword\u{1F469}", "pa\u{308}ssword\u{1F469}\u{200D}\u{1F467}"),
            ("\u{1F467}p\u{e4}ssword", "\u{1F469}\u{200D}\u{1F467}pa\u{308}ssword"),
            ("caf\u{e9}-password\u{e9}", "cafe\u{301}-passworde\u{301}\u{200D}x"),
            ("p\u{e4}ssword\u{2764}", "pa\u{308}ssword\u{2764}\u{FE0F}"),
            ("p\u{e4}ssword\r", "pa\u{308}ssword\r\n"),
            // Regional indicators are paired from the beginning.
            ("\u{1F1EA}\u{1F1FA}p\u{e4}ssword", "\u{1F1E9}\u{1F1EA}\u{1F1FA}pa\u{308}ssword"),
            // Hangul, the letters of which combine without being marks.
            ("password\u{AC01}", "password\u{1100}\u{1161}\u{11A8}"),
        ]
        for (secret, other) in pairs {
            for text in try texts(
                Named(label: "x"), redacting: [\.token], [.becomes(Named(token: secret, label: "a")), .says("1 \(other)")])
            {
                expect(!Self.contains(text, "ssword"), "\(secret.unicodeScalars.map(\.value))")
            }
        }
    }

    @Test("A secret is hidden in JSON that is part of an event")
    func escaped() throws {
        let bodies = [
            ("pa\"ss\\w0rd\n!", #"{"key":"pa\"ss\\w0rd\n!"}"#), ("abc/w0rd+g==", #"{"key":"abc\/w0rd+g=="}"#),
            ("-----BEGIN\nw0rd\n-----END", #"{"key":"-----BEGIN\nw0rd\n-----END"}"#),
        ]
        for (secret, body) in bodies {
            for text in try texts(
                Named(label: "x"), redacting: [\.token],
                [.becomes(Named(token: secret, label: "a")), .says(body), .says(secret)])
            {
                expect(!Self.contains(text, "w0rd"), "\(secret)")
            }
        }
    }

    /// A value that describes itself in a form that none of its parts has.
    private struct Key: Codable, CustomStringConvertible, Equatable, Sendable {
        var bytes: [UInt8] = []
        var description: String { bytes.map { String($0, radix: 16) }.joined(separator: ":") }
    }

    private struct Safe: Codable, Equatable, Sendable {
        var data = Data()
        var bytes: [UInt8] = []
        var key = Key()
        var date = Date(timeIntervalSinceReferenceDate: 0)
        var span = Duration.zero
        var count = 0
    }

    @Test("Data, bytes, dates, durations and values that describe themselves are hidden in each form")
    func types() throws {
        let secret = Array("hello".utf8)
        let safe = Safe(
            data: Data(secret), bytes: secret, key: Key(bytes: secret),
            date: Date(timeIntervalSinceReferenceDate: 123_456_789.5), span: .milliseconds(123_456))
        let texts = try texts(
            Safe(), redacting: [\.data, \.bytes, \.key, \.date, \.span], [.becomes(safe), .becomes(Safe(count: 1)), .says("x")])
        for text in texts {
            for part in ["aGVsbG8", "104, 101", "104,101", "68:65:6c", "2004-11-29", "123456789", "123_456", "123456", "123.456"]
            {
                expect(!Self.contains(text, part), "\(part)")
            }
        }
    }

    /// Two objects that refer to each other, more than once.
    private final class Ring: @unchecked Sendable, Equatable {
        // Sound: only changed while the ring is made.
        var name = ""
        var next: Ring?
        var previous: Ring?
        static func == (one: Ring, other: Ring) -> Bool { one === other }
    }

    @Test("The texts in a cycle of objects are learned in finite time")
    func cycle() {
        let (one, other) = (Ring(), Ring())
        (one.name, other.name) = ("first-secret", "second-secret")
        (one.next, one.previous, other.next, other.previous) = (other, other, one, one)
        defer { (one.next, one.previous) = (nil, nil) }
        let properties: [PartialKeyPath<Holder> & Sendable] = [\Holder.ring]
        let values = RedactedValues<Holder>(properties)
        var redactor = Redactor<Holder>(properties)
        _ = values.take(from: Holder(ring: one))
        redactor.learn(values.takeWaiting())
        expectEqual(redactor.redacted("first-secret, second-secret"), "redacted, redacted")
    }

    private struct Holder: Equatable, Sendable { var ring: Ring }

    private class Account: @unchecked Sendable {
        // Sound: it does not change.
        let token: String
        init(_ token: String) { self.token = token }
    }

    private final class Session: Account, Equatable, @unchecked Sendable {
        static func == (one: Session, other: Session) -> Bool { one === other }
    }

    private struct Page: Equatable, Sendable { var session: Session }

    @Test("The texts that an object inherits are learned")
    func inherited() {
        let properties: [PartialKeyPath<Page> & Sendable] = [\Page.session]
        let values = RedactedValues<Page>(properties)
        var redactor = Redactor<Page>(properties)
        _ = values.take(from: Page(session: Session("open sesame")))
        redactor.learn(values.takeWaiting())
        expectEqual(redactor.redacted("it is open sesame"), "it is redacted")
    }

    /// Compares bytes: a mark in the bytes that follow may form a `Character` with the last one of the part.
    private static func contains(_ text: String, _ part: String) -> Bool {
        let (bytes, wanted) = (Array(text.utf8), Array(part.utf8))
        return bytes.indices.contains { bytes[$0...].starts(with: wanted) }
    }

    @Test("A short secret with accents is hidden where it is a whole literal, in each form of Unicode")
    func shortForms() throws {
        let texts = try texts(
            Named(label: "x"), redacting: [\.token],
            [.becomes(Named(token: "\u{e9}", label: "")), .says("e\u{301}"), .says("re\u{301}al")])
        for text in texts { expect(!Self.contains(text, "says(\"\u{e9}\")")) }
        expect(Self.contains(texts[0], "re\u{301}al"))
    }

    @Test("A secret is learned from a state that the queue has dropped")
    func lost() throws {
        var turns: [Turn<Named>] = [.becomes(Named(token: "hunter2-secret", label: "x")), .becomes(Named(label: "x"))]
        for number in 0..<500 { turns.append(.says("\(number)")) }
        turns.append(.says("hunter2-secret"))
        let texts = try texts(Named(label: "x"), keeping: .last(10), redacting: [\.token], flushing: false, turns)
        for text in texts {
            expect(!Self.contains(text, "hunter2"))
            expect(Self.contains(text, "redacted"))
        }
    }

    @Test("The loop waits if too many secrets are pending, and none of them is in the recording")
    func many() throws {
        var turns: [Turn<Named>] = []
        for number in 0..<(2 * RedactedValues<Named>.most) {
            turns.append(.becomes(Named(token: "s\(number)-secret", label: "x")))
        }
        turns += [.says("s1-secret"), .says("s4000-secret"), .says("s8000-secret")]
        let texts = try texts(Named(label: "x"), keeping: .last(10), redacting: [\.token], flushing: false, turns)
        for text in texts { expect(!Self.contains(text, "-secret")) }
    }

    @Test("The state as a whole can be redacted")
    func whole() throws {
        let texts = try texts(
            Named(token: "first-secret", label: "second-secret"), redacting: [\.self],
            [
                .becomes(Named(token: "third-secret", tokens: ["fourth-secret"], label: "x", count: 271_828)),
                .says("first-secret"),
            ])
        for text in texts { for part in ["-secret", "271828", "271_828"] { expect(!Self.contains(text, part), "\(part)") } }
        expect(Self.contains(texts[3], "(token: \"redacted\", tokens: []"))
        expect(!Self.contains(texts[3], ".then("))
    }

    @Test("A property of a state of a generic type is redacted")
    func generic() throws {
        let texts = try texts(
            Vault<[Int]>(label: [1]), redacting: [\.token],
            [.becomes(Vault(token: "first-secret", label: [2])), .says("first-secret")])
        for text in texts { expect(!Self.contains(text, "-secret") && Self.contains(text, "redacted")) }
    }

    @Test("A secret is hidden in the name of the loop, which is known before the state has it")
    func name() throws {
        let texts = try texts(
            Named(label: "x"), redacting: [\.token], name: "session of first-secret",
            [.says("a"), .becomes(Named(token: "first-secret", label: "x"))])
        for text in texts { expect(!Self.contains(text, "-secret")) }
        expect(Self.contains(texts[0], "session of redacted") && Self.contains(texts[4], "session of redacted"))
        expect(Self.contains(texts[1], "session of redacted"))
    }

    @Test("A secret is learned even if `==` finds no change")
    func careless() throws {
        let texts = try texts(
            Careless(token: .init(text: "first-secret")), redacting: [\.token],
            [
                .becomes(Careless(token: .init(text: "second-secret"), count: 1)), .says("first-secret"),
                .says("second-secret"),
            ])
        for text in texts { expect(!Self.contains(text, "-secret")) }
    }

    @Test("Values that are added to a redacted list or dictionary, changed or inserted are learned")
    func parts() throws {
        var state = Named(label: "x")
        var turns: [Turn<Named>] = []
        func turn(_ change: (inout Named) -> Void) {
            change(&state)
            turns.append(.becomes(state))
        }
        turn { $0.tokens = ["a0-secret", "a1-secret"] }
        turn { $0.tokens.append("a2-secret") }
        turn { $0.tokens.insert("a3-secret", at: 0) }
        turn { $0.tokens[1] = "a4-secret" }
        turn { $0.tokens.remove(at: 0) }
        turn { $0.byName = ["b0-secret": "b1-secret"] }
        turn { $0.byName["b0-secret"] = "b2-secret" }
        turn { $0.byName["b3-secret"] = "b4-secret" }
        for letter in ["a", "b"] { for number in 0..<5 { turns.append(.says("\(letter)\(number)-secret")) } }
        for flushing in [true, false] {
            for text in try texts(Named(label: "x"), redacting: [\.tokens, \.byName], flushing: flushing, turns) {
                expect(!Self.contains(text, "-secret"))
            }
        }
    }

    /// A text that counts its encodings.
    private struct Counted: Codable, Equatable, Sendable {
        static let encoded = Atomic<Int>(0)
        var text = ""

        func encode(to encoder: any Encoder) throws {
            Self.encoded.add(1, ordering: .relaxed)
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }

        init(_ text: String) { self.text = text }
        init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }
    }

    private struct Library: Codable, Equatable, Sendable { var texts: [Counted] = [] }

    @Test("Learning the additions to a redacted list encodes only the additions")
    func linear() {
        let library = Reducer<Library, Int, Int, Void>(
            transform: { _, event, _ in .just(event) },
            apply: { (state: inout Library, number: Int) in state.texts.append(Counted("\(number)-secret")) })
        let recording = Recording(
            of: library, keeping: .last(10_000), redacting: [\.texts], encodesByItself: false, clock: { .now })
        let store = Store(reducer: library, initialState: Library(), environment: (), options: LoopOptions(journal: recording))
        let before = Counted.encoded.load(ordering: .relaxed)
        let count = 400
        for number in 0..<count { store.send(number) }
        recording.flush()
        // Once each, and once more for the initial state of each segment.
        let encoded = Counted.encoded.load(ordering: .relaxed) - before
        expect(encoded >= count && encoded <= 5 * count, "\(encoded)")
        store.cancel()
    }

    @Test("A file that follows a recording is not rewritten for a secret that it does not contain")
    func notAnew() throws {
        let vault = makeVault(Named.self)
        let recording = Recording(
            of: vault, keeping: .last(10_000), redacting: [\.token], encodesByItself: false, clock: { .now })
        let store = Store(
            reducer: vault, initialState: Named(label: "x"), environment: (), options: LoopOptions(journal: recording))
        let path = temporaryPath()
        defer { removeFile(path) }
        store.send(.says("early-secret"))
        try recording.follow(in: path)
        let begun = try RecordingFile.read(path, limit: .max)
        for number in 0..<20 {
            store.send(.becomes(Named(token: "\(number)-secret", label: "x")))
            recording.flush()
        }
        try expect(RecordingFile.read(path, limit: .max).starts(with: begun))
        store.send(.becomes(Named(token: "early-secret", label: "x")))
        recording.flush()
        try expect(!RecordingFile.read(path, limit: .max).starts(with: begun))
        try expect(!Self.contains(String(decoding: RecordingFile.read(path, limit: .max), as: UTF8.self), "-secret"))
        store.cancel()
    }

    @Test("The changed range of a list is found for each change", arguments: Budget.seeds(100, least: 20))
    func ranges(seed: Int) {
        var dice = Dice(seed)
        let old = (0..<Int.random(in: 0...20, using: &dice)).map { $0 % 5 }
        var new = old
        for _ in 0..<Int.random(in: 0...2, using: &dice) {
            let place = Int.random(in: 0...new.count, using: &dice)
            if place < new.count, Bool.random(using: &dice) { new.remove(at: place) } else { new.insert(place % 7, at: place) }
        }
        let changed = SameBytes.changed(new, since: old)
        expect(new[..<changed.lowerBound] == old[..<min(changed.lowerBound, old.count)])
        let tail = new.count - changed.upperBound
        expect(Array(new.suffix(tail)) == Array(old.suffix(tail)) && changed.lowerBound + tail <= old.count)
        let isWide = changed.count > 1 && changed.lowerBound < old.count && tail < old.count - changed.lowerBound
        if isWide { expect(new[changed.lowerBound] != old[changed.lowerBound]) }
    }

    @Test("Texts in two forms of Unicode remain two texts in a recording without redaction")
    func exact() throws {
        let vault = makeVault(Named.self)
        let recording = Recording(of: vault)
        let store = Store(
            reducer: vault, initialState: Named(label: "x"), environment: (), options: LoopOptions(journal: recording))
        for text in ["caf\u{e9}", "cafe\u{301}"] { store.send(.says(text)) }
        store.cancel()
        let bytes = String(decoding: recording.bytes, as: UTF8.self)
        expect(Self.contains(bytes, "\"caf\u{e9}\"") && Self.contains(bytes, "\"cafe\u{301}\""))
    }
}
