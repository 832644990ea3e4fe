import MoonlightDurability
import MoonlightTestSupport

extension SimulatedDisk.Contents {
    /// Calls a closure with what may be on the disk after a crash.
    ///
    /// Of the file that was written last, every subset of up to eight unsynced changes is tried, and of the last change that is
    /// kept every byte at which it can be torn; so is every number of changes of names. Of more changes, and of all
    /// other files, a random choice is made each time.
    ///
    /// - Parameter isWanted: Whether another is wanted.
    func forEachImage(
        _ dice: inout Dice, while isWanted: () -> Bool = { true }, _ use: ([String: [UInt8]], inout Dice) throws -> Void
    )
        rethrows
    {
        let unsynced = files.filter { !$0.value.unsynced.isEmpty }.keys.sorted()
        let last = unsynced.last
        for kept in 0...changes.count {
            let names = names(after: kept)
            let count = last.map { files[$0]?.unsynced.count ?? 0 } ?? 0
            for subset in 0..<(1 << min(count, 8)) {
                for torn in 0...(last.map { files[$0]?.lengthOfLast(of: subset) ?? 0 } ?? 0) {
                    guard isWanted() else { return }
                    var image: [String: [UInt8]] = [:]
                    for (name, number) in names {
                        guard let file = files[number] else { continue }
                        image[name] =
                            number == last
                            ? file.bytes(keeping: subset, tearingTo: torn)
                            : file.bytes(keeping: dice.roll(1 << min(file.unsynced.count, 16)), tearingTo: nil)
                    }
                    try use(image, &dice)
                }
            }
        }
    }

    private func names(after count: Int) -> [String: Int] {
        var names = names
        for change in changes.prefix(count) {
            switch change {
            case .make(let name, let file): names[name] = file
            case .rename(let name, let newName): names[newName] = names.removeValue(forKey: name)
            case .remove(let name): names[name] = nil
            }
        }
        return names
    }
}

extension SimulatedDisk.File {
    var unsynced: [SimulatedDisk.Change] { forgotten + pending }

    /// The changes of a subset of the last eight; those before are all kept, or all lost, by the first of the subset.
    private func kept(_ subset: Int) -> [SimulatedDisk.Change] {
        let before = unsynced.dropLast(8)
        let last = unsynced.suffix(8)
        let kept = last.enumerated().filter { subset >> $0.offset & 1 == 1 }.map(\.element)
        return (subset & 1 == 1 ? Array(before) : []) + kept
    }

    /// The number of bytes at which the last change of a subset can be torn.
    func lengthOfLast(of subset: Int) -> Int {
        if case .write(_, let bytes) = kept(subset).last { bytes.count } else { 0 }
    }

    /// What is in the file if a subset of the changes is kept.
    ///
    /// - Parameter torn: How many bytes of the last write are kept; nil for all.
    func bytes(keeping subset: Int, tearingTo torn: Int?) -> [UInt8] {
        var bytes = durable
        let kept = kept(subset)
        for (index, change) in kept.enumerated() {
            if index == kept.count - 1, let torn, case .write(let offset, let new) = change {
                SimulatedDisk.Change.write(offset: offset, bytes: Array(new.prefix(torn))).make(in: &bytes)
            } else {
                change.make(in: &bytes)
            }
        }
        return bytes
    }
}
