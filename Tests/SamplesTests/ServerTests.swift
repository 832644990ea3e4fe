import Moonlight
import MoonlightTestSupport
import Testing

@testable import ServerSample

@Suite("Samples: server")
struct ServerTests {
    @Test("Lines are answered with values, with `ok`, or with the reason")
    func lines() async {
        let store = Store(reducer: words, initialState: Words(), environment: ())
        await expectEqual(answer("put moon 384400 km", store), "ok")
        await expectEqual(answer("get moon", store), "384400 km")
        await expectEqual(answer("remove moon", store), "ok")
        await expectEqual(answer("remove moon", store), "error: there is no moon")
        await expectEqual(answer("get moon", store), "error: there is no moon")
        await expectEqual(answer("dance", store), "error: put KEY VALUE, get KEY, or remove KEY")
    }
}
