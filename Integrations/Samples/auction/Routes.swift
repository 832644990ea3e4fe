import AuctionHouse
import Foundation
import HTTPTypes
import Hummingbird
import Moonlight
import ServiceLifecycle

/// The routes of the server.
struct Routes {
    let house: any House
    let admission: Admission

    struct Opening: Decodable {
        let title: String
        let minimum: Int?
        /// The number of seconds after which the auction closes by itself.
        let seconds: Double?
    }

    struct Page: Encodable {
        let ids: [String]
        let next: String?
    }

    func add(to router: Router<BasicRequestContext>) {
        router.get("auctions") { request, _ in
            let cursor = request.uri.queryParameters.get("after")
            let page = try await house.ids(after: cursor, limit: 100)
            return try Answers.json(Page(ids: page.ids, next: page.next))
        }
        router.put("auctions/:id") { request, context in
            let opening = try await request.decode(as: Opening.self, context: context)
            // A longer time could overflow.
            guard (0...1e9).contains(opening.seconds ?? 0) else {
                return Answers.refused(Refusal(status: 400, reason: "the seconds must be from 0 to a billion"))
            }
            if opening.seconds != nil, !house.isDurable {
                return Answers.refused(
                    Refusal(status: 400, reason: "auctions in memory do not close by themselves: start the server with a folder"))
            }
            let closesAt = opening.seconds.map { WallTime(sinceEpoch: WallTime.now.sinceEpoch + .seconds($0)) }
            let event = Auction.Event.open(title: opening.title, minimum: opening.minimum ?? 0, closesAt: closesAt)
            return try await answer(event, request, context, .created)
        }
        router.post("auctions/:id/bids") { request, context in
            let bid = try await request.decode(as: Auction.Bid.self, context: context)
            return try await answer(.bid(bid), request, context, .accepted)
        }
        router.post("auctions/:id/close") { request, context in try await answer(.close, request, context, .accepted) }
        router.post("auctions/:id/payment") { request, context in try await answer(.pay, request, context, .accepted) }
        router.get("auctions/:id") { _, context in
            do throws(Refusal) {
                let auction = try await house.state(of: context.auction)
                guard auction.phase != .missing else { throw Refusal(status: 404, reason: "there is no such auction") }
                return try Answers.encoded(auction)
            } catch { return Answers.refused(error) }
        }
        router.get("auctions/:id/updates") { _, context in
            Response(
                status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-cache"],
                body: ResponseBody(asyncSequence: updates(of: context.auction)))
        }
    }

    /// Sends an event, and answers when it is decided.
    private func answer(
        _ event: Auction.Event, _ request: Request, _ context: BasicRequestContext, _ success: HTTPResponse.Status
    ) async throws -> Response {
        let key = request.headers[Answers.idempotencyKey]
        do throws(Refusal) {
            if key != nil, !house.isDurable {
                throw Refusal(status: 400, reason: "keys are not remembered in memory: start the server with a folder")
            }
            try await admission.admit { () async throws(Refusal) in try await house.send(event, to: context.auction, key: key) }
            return Response(status: success)
        } catch { return Answers.refused(error) }
    }

    /// Returns the states of an auction as server-sent events, until the client disconnects or the server shuts down.
    private func updates(of id: String) -> some AsyncSequence<ByteBuffer, any Error> & Sendable {
        house.states(of: id).cancelOnGracefulShutdown().map { auction in
            let data = try Answers.encoder().encode(auction)
            return ByteBuffer(string: "data: \(String(decoding: data, as: UTF8.self))\n\n")
        }
    }
}

extension BasicRequestContext {
    /// The id of the auction in the path of the request.
    var auction: String {
        let text = parameters.get("id") ?? ""
        return text.removingPercentEncoding ?? text
    }
}

/// Answers in JSON.
enum Answers {
    static let idempotencyKey = HTTPField.Name("Idempotency-Key") ?? .ifMatch

    static func encoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    private struct Reason: Encodable { let error: String }

    static func json(_ value: some Encodable, _ status: HTTPResponse.Status = .ok) throws -> Response {
        let data = try encoder().encode(value)
        return Response(
            status: status, headers: [.contentType: "application/json"], body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
    }

    static func encoded(_ value: some Encodable) throws(Refusal) -> Response {
        do { return try json(value) } catch { throw Refusal(status: 500, reason: "\(error)") }
    }

    static func refused(_ refusal: Refusal) -> Response {
        let status = HTTPResponse.Status(code: refusal.status)
        var response = (try? json(Reason(error: refusal.reason), status)) ?? Response(status: status)
        if refusal.status == 429 || refusal.status == 503 { response.headers[.retryAfter] = "1" }
        return response
    }
}
