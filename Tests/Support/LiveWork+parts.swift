import Moonlight

extension LiveWork {
    /// The id of a job; the path of anything else.
    package var id: JobID { if case .job(let id, _) = kind { id } else { JobID("\(self)", path: path) } }
    package var isWaiting: Bool { if case .job(_, let isWaiting) = kind { isWaiting } else { false } }
    /// The key of a reaction; empty for anything else.
    package var key: String { if case .reaction(let key) = kind { key } else { "" } }
}
