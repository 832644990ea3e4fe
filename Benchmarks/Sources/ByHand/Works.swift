@_exported import Harness

/// The limit of each row: the loop that one would write for just this, which can do nothing else. It is safe from one thread only,
/// unless the row is about threads.
package func byHandWorks() -> [Work] {
    chains() + subjects() + flattening() + combining() + subscribing() + loops() + alternatives() + composition()
}
