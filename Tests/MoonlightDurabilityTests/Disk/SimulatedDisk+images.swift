import MoonlightDurability
import MoonlightTestSupport

extension SimulatedDisk.Contents {
    /// Calls a closure with each possible content of the disk after a crash.
    ///
    /// Of the file that was written last, every subset of up to eight unsynced changes is tried, with every byte at which the
    /// last kept change can be torn, and every number of changes of names. Of further changes, and of all other files, a random
    /// choice is made each time.
    ///
    /// - Parameter isWanted: Returns whether another image is wanted.
    func forEachImage(
        _ dice: inout Dice, while isWanted: () -> Bool = { true }, _ use: ([String: [UInt8]], inout Dice) throws -> Void
    )
        rethrows
    {
        let last = writtenLast
        for kept in 0...changes.count {
            let names = names(after: kept)
            for subset in 0..<subsets(of: last) {
                for torn in 0...length(of: last, subset) {
                    guard isWanted() else { return }
                    let image = image(names, last, subset, torn, &dice)
                    try use(image, &dice)
                }
            }
        }
    }

    /// Returns a possible content of the disk after a crash: a random one of the images that ``forEachImage(_:while:_:)`` tries.
    /// One in three has the last write as a whole.
    func image(_ dice: inout Dice) -> [String: [UInt8]] {
        let last = writtenLast
        let names = names(after: dice.roll(changes.count + 1))
        let subset = dice.roll(subsets(of: last))
        let length = length(of: last, subset)
        let torn = dice.roll(3) == 0 ? length : dice.roll(length + 1)
        return image(names, last, subset, torn, &dice)
    }

    private func image(
        _ names: [String: Int], _ last: Int?, _ subset: Int, _ torn: Int, _ dice: inout Dice
    ) -> [String: [UInt8]] {
        var image: [String: [UInt8]] = [:]
        // Sorted, so that a seed determines the image.
        for (name, number) in names.sorted(by: { $0.key < $1.key }) {
            guard let file = files[number] else { continue }
            image[name] =
                number == last
                ? file.bytes(keeping: subset, tearingTo: torn)
                : file.bytes(keeping: dice.roll(1 << min(file.unsynced.count, 16)), tearingTo: nil)
        }
        return image
    }

    /// The most recently created file with unsynced changes, which is the one that was written last.
    private var writtenLast: Int? { files.filter { !$0.value.unsynced.isEmpty }.keys.max() }

    /// The number of subsets of a file's unsynced changes that are tried.
    private func subsets(of file: Int?) -> Int { 1 << min(file.flatMap { files[$0]?.unsynced.count } ?? 0, 8) }

    /// The number of bytes at which the last change of a subset can be torn.
    private func length(of file: Int?, _ subset: Int) -> Int { file.flatMap { files[$0]?.lengthOfLast(of: subset) } ?? 0 }

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

    /// Returns the changes of a subset of the last eight; the first bit of the subset decides whether all earlier ones are kept
    /// or lost.
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

    /// Returns the content of the file if a subset of the changes is kept.
    ///
    /// - Parameter torn: The number of bytes of the last write that are kept; nil for all.
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
