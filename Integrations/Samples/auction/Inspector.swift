import AuctionHouse
import Foundation
import HTTPTypes
import Hummingbird
import MoonlightDurability
import ServiceLifecycle

/// An administration page, bound to the loopback interface and protected by a token.
struct Inspector {
    let house: AuctionHouse
    let bank: Bank
    let token: String

    func add(to router: Router<BasicRequestContext>) {
        router.get("") { request, _ in try await guarded(request) { page() } }
        router.get("auctions/:id") { request, context in
            try await guarded(request) {
                let report = house.fleet.report(on: context.auction)
                let work = report.inFlight.map { "\n\($0)" }.joined()
                return Self.text("\(report.phase), \(report.users) users, \(report.waiting) waiting\(work)\n")
            }
        }
        router.get("auctions/:id/recording") { request, context in
            try await guarded(request) {
                let recording = try await recording(of: context)
                return Self.html(try recording.page(updates: "recording/updates"))
            }
        }
        router.get("auctions/:id/recording/updates") { request, context in
            try await guarded(request) { Self.events(RecordingUpdates(of: try await recording(of: context))) }
        }
        router.put("bank/:mood") { request, context in
            try await guarded(request) {
                guard let mood = context.parameters.get("mood").flatMap(Bank.Mood.init) else {
                    throw HTTPError(.badRequest, message: "good, slow, failing or hanging")
                }
                bank.mood = mood
                return Self.text("the payment service is \(mood.rawValue)\n")
            }
        }
    }

    /// Answers only requests that have the token, as a query parameter or as a bearer token.
    private func guarded(_ request: Request, _ answer: () async throws -> Response) async throws -> Response {
        let given = request.uri.queryParameters.get("token") ?? request.headers[.authorization].map { String($0.dropFirst(7)) }
        guard let given, Self.isSame(given, token) else { throw HTTPError(.unauthorized) }
        return try await answer()
    }

    /// Returns the recording of an auction. Recording starts with the first request.
    private func recording(of context: BasicRequestContext) async throws -> Recorder.Recorded {
        guard let recorder = house.recorder else { throw HTTPError(.notFound, message: "auctions in memory are not recorded") }
        let id = context.auction
        if let recording = recorder.recording(of: id) { return recording }
        let state = try await house.fleet.state(of: id)
        guard state.phase != .missing else { throw HTTPError(.notFound, message: "there is no such auction") }
        return recorder.recording(of: id, state: state)
    }

    /// Compares two texts in constant time.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        return one.count == other.count && zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func text(_ text: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: "text/plain; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    private func page() -> Response {
        let counters = Mirror(reflecting: house.fleet.counters).children.map { (name: $0.label ?? "", value: "\($0.value)") }
        let bankCounts = bank.counts
        let awake = house.fleet.awake
        let rows =
            counters + [
                ("payment service", bank.mood.rawValue), ("payments asked for", "\(bankCounts.attempts)"),
                ("payments made", "\(bankCounts.payments)"),
            ]
        let table = rows.map { "<tr><th>\($0.name)<td>\($0.value)" }.joined(separator: "\n")
        let list = awake.prefix(100).map { "<li>\(link(to: $0)): \(Self.escaped(summary(of: $0)))" }.joined(separator: "\n")
        let html = """
            <!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="2"><title>auctions</title>
            <style>body{font:15px system-ui;margin:2em}th{text-align:left;padding-right:2em;font-weight:normal}</style>
            <h1>Auctions</h1>
            <table>
            \(table)
            </table>
            <h2>\(awake.count) awake\(awake.count > 100 ? ", of which 100 are listed" : "")</h2>
            <ul>
            \(list)
            </ul>
            """
        return Self.html(html)
    }

    private static func html(_ html: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: html)))
    }

    private static func events(_ updates: RecordingUpdates) -> Response {
        Response(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody(asyncSequence: updates.cancelOnGracefulShutdown()))
    }

    /// Returns the name of an auction, as a link to its recording if recordings are available.
    private func link(to id: String) -> String {
        guard house.recorder != nil, let path = id.addingPercentEncoding(withAllowedCharacters: .alphanumerics) else {
            return Self.escaped(id)
        }
        let query = token.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return "<a href=\"auctions/\(path)/recording?token=\(query)\">\(Self.escaped(id))</a>"
    }

    private func summary(of id: String) -> String {
        let report = house.fleet.report(on: id)
        guard let auction = report.state else { return "\(report.phase)" }
        let highest = auction.highest.map { ", \($0.amount) by \($0.bidder)" } ?? ""
        return "\(auction.title), \(auction.phase.rawValue)\(highest), \(auction.bids) bids, \(report.inFlight.count) in flight"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }
}
