import Moonlight
import Streams

// UniFlow's README example, on Moonlight: a feature that downloads a file.

enum FileDownloading: Equatable, Sendable {
    case starting
    case inProgress(Progress)
    case completed

    struct Progress: Equatable, Sendable { var percent: Double }
}

extension Case where Whole == FileDownloading, Part == Void {
    static var starting: Case { Case(.starting) { $0 == .starting } }
    static var completed: Case { Case(.completed) { $0 == .completed } }
}

extension Case where Whole == FileDownloading, Part == FileDownloading.Progress {
    static var inProgress: Case {
        Case(FileDownloading.inProgress, name: "inProgress") {
            if case .inProgress(let progress) = $0 { progress } else { nil }
        }
    }
}

extension FileDownloading: Status {
    var indicator: Indicator { self == .completed ? .ok : .busy }
    var detail: String { if case .inProgress(let progress) = self { "\(Int(progress.percent)) %" } else { "" } }
}

struct Files: Equatable, Sendable {
    var download = Slot<FileDownloading>()
    var printed: [String] = []
}
