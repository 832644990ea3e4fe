import Dispatch

/// Whether the caller runs on the main queue, and so on the main actor. Libdispatch counts the main thread as on the main queue
/// unless it is inside another queue's `sync`; the answer there is no, and the caller goes the longer way. When an asynchronous
/// `main` has given the main thread away, whichever thread drains the main queue counts.
@usableFromInline package enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    @usableFromInline package static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}
