import Moonlight
import MoonlightTesting
import Streams
import Testing

/// Asynchronous functions that cannot fail, with up to three arguments.
private struct Clerk: Sendable {
    var open: @Sendable () async -> Bool
    var price: @Sendable (String) async -> Int
    var offer: @Sendable (String, Int) async -> Int
    var deliver: @Sendable (String, Int, Bool) async -> String
}

private let open = Stub<Void, Bool, Never>("open")
private let price = Stub<String, Int, Never>("price")
private let offer = Stub<(String, Int), Int, Never>("offer")
private let deliver = Stub<(String, Int, Bool), String, Never>("deliver")

@Suite("Stubs that cannot fail")
struct NeverFailingTests {
    @Test("Stubs that cannot fail replace asynchronous functions that do not throw, with up to three arguments")
    func plain() throws {
        let shop = Reducer<[String], String, String, Clerk>(
            transform: { _, item, clerk in
                .run { send in
                    guard await clerk.open() else { return }
                    let price = await clerk.price(item)
                    send(await clerk.deliver(item, await clerk.offer(item, price), true))
                }
            },
            apply: { $0.append($1) })
        try Plan(shop, given: []) {
            Clerk(open: $0.async(open), price: $0.async(price), offer: $0.async(offer), deliver: $0.async(deliver))
        }
        .when("lamp")
        .resolve(open(), with: true)
        .resolve(price("lamp"), with: 20)
        .resolve(offer("lamp", 20), with: 18)
        .resolve(deliver("lamp", 18, true), with: "a lamp for 18")
        .then(equals: ["a lamp for 18"])
        .run()
    }
}
