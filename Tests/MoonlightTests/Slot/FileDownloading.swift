import Moonlight
import Streams

// UniFlow's README example, on Moonlight: a feature that downloads a file.

enum FileDownloading: Equatable, Sendable {
    case starting
    case inProgress(Progress)
    case completed

    struct Progress: Equatable, Sendable { var percent: Double }
}

extension CasePath where Whole == FileDownloading, Part == Void {
    static var starting: CasePath { CasePath(.starting) { $0 == .starting } }
    static var completed: CasePath { CasePath(.completed) { $0 == .completed } }
}

extension CasePath where Whole == FileDownloading, Part == FileDownloading.Progress {
    static var inProgress: CasePath {
        CasePath(FileDownloading.inProgress, name: "inProgress") {
            if case .inProgress(let progress) = $0 { progress } else { nil }
        }
    }
}

extension FileDownloading: StatusReporting {
    var indicator: StatusIndicator { self == .completed ? .ok : .busy }
    var detail: String { if case .inProgress(let progress) = self { "\(Int(progress.percent)) %" } else { "" } }
}

struct Files: Equatable, Sendable {
    var download = Slot<FileDownloading>()
    var printed: [String] = []
}
