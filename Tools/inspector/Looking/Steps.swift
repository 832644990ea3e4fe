import MoonlightRecording

/// The steps of a recording, in order. A step is decoded when it is asked for, so that a million of them cost what is seen.
package struct Steps: RandomAccessCollection, Equatable, Sendable {
    /// A step in a list.
    package struct Element: Sendable {
        /// Its number; numbers have gaps where steps were lost.
        package let number: Int
        /// What it is; an error if it cannot be read.
        package let record: Result<StepRecord, RecordingError>
    }

    package let reader: RecordingReader

    package init(_ reader: RecordingReader) { self.reader = reader }

    /// A reader does not change: two are the same recording if they are the same object.
    package static func == (one: Steps, other: Steps) -> Bool { one.reader === other.reader }

    package var startIndex: Int { 0 }
    package var endIndex: Int { reader.count }

    package subscript(index: Int) -> Element {
        do throws(RecordingError) {
            let record = try reader.step(at: index)
            return Element(number: record.number, record: .success(record))
        } catch {
            return Element(number: reader.number(at: index) ?? 0, record: .failure(error))
        }
    }

    /// The numbers of the first and the last step; nil if there are none.
    var numbers: ClosedRange<Int>? { reader.numbers }

    /// The number of the step at an index; 0 if there is none.
    func number(at index: Int) -> Int { reader.number(at: index) ?? 0 }

    /// The index of a step, or of the next one that is kept.
    func index(of number: Int) -> Int { reader.index(of: number) }

    /// The number of the step that a move leads to from another one; 0 if there are no steps.
    func number(after move: (Int, Int) -> Int, from number: Int) -> Int { self.number(at: move(index(of: number), count)) }

    /// Whether a step is kept.
    func has(_ number: Int) -> Bool { !isEmpty && self.number(at: index(of: number)) == number }

    /// A step; nil if it is not kept, or cannot be read.
    func record(_ number: Int) -> StepRecord? { has(number) ? try? reader.step(at: index(of: number)) : nil }
}

extension StepRecord {
    /// The number of the step that caused it; nil if it came from outside, or if that is not kept. An answer belongs to its call,
    /// which something has caused.
    var causedBy: Int? {
        let number = kind == .answer || kind == .fired ? call : cause ?? 0
        return number > 0 && number < self.number ? number : nil
    }
}

extension Steps: CustomStringConvertible {
    /// The numbers of the steps: a failed test does not print them all.
    package var description: String { "Steps(\(numbers.map { "\($0.lowerBound) to \($0.upperBound)" } ?? "none"))" }
}
