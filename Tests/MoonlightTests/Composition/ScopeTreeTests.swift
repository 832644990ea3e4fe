import MoonlightTestSupport
import Testing

@testable import Moonlight

@Suite("Scope tree: children with effects in flight")
struct ScopeTreeTests {
    private final class Effects: EffectOrigin, @unchecked Sendable {
        // Sound: used by one thread.
        var isEnded = false
        init() { super.init(LoopContext(name: nil)) }
        override func childWasRemoved() { isEnded = true }
    }

    private let tree = ScopeTree()
    private let parent: ChildScope = (Scope("parent", of: Int.self, file: "", line: 0), nil, nil)
    private let row = Scope("row", of: Int.self, file: "", line: 0)

    private func leave() {
        tree.liveRoot?.child(parent.scope.key)?.leave()
        tree.endStreamsOfDeparted()
    }

    @Test("Removing a child cancels its live stream, and not one that has finished")
    func sibling() {
        let (first, second) = (Effects(), Effects())
        let place = tree.add(first, in: [parent])
        _ = tree.add(second, in: [parent])
        tree.remove(place)
        leave()
        expect(!first.isEnded)
        expect(second.isEnded)
        expect(tree.liveRoot == nil)
    }

    @Test("Removing a child cancels the streams of its grandchildren, even if it has none itself")
    func grandchildren() {
        let (own, seven, eight) = (Effects(), Effects(), Effects())
        let place = tree.add(own, in: [parent])
        _ = tree.add(seven, in: [parent, (row, AnyID(7), nil)])
        let other = tree.add(eight, in: [parent, (row, AnyID(8), nil)])
        tree.remove(place)
        tree.remove(other)
        leave()
        expectEqual([own, seven, eight].map(\.isEnded), [false, true, false])
        expect(tree.liveRoot == nil)
    }

    @Test("The tree retains nothing of a child whose last stream has finished")
    func empty() {
        let (own, seven) = (Effects(), Effects())
        _ = tree.add(own, in: [(row, AnyID(1), nil)])
        let place = tree.add(seven, in: [parent, (row, AnyID(7), nil)])
        expectEqual(tree.liveRoot?.children.count, 2)
        tree.remove(place)
        expectEqual(tree.liveRoot?.children.map { $0.0 }, [row.key])
    }

    @Test("The tree retains nothing of a removed child while another still has a stream")
    func departed() {
        let (left, other) = (Effects(), Effects())
        _ = tree.add(left, in: [parent])
        _ = tree.add(other, in: [(row, AnyID(1), nil)])
        leave()
        expect(left.isEnded)
        expect(!other.isEnded)
        expectEqual(tree.liveRoot?.children.map { $0.0 }, [row.key])
    }
}
