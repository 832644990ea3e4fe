@_exported import Harness

/// The limit of each row: a special-purpose loop, written by hand. It is safe from one thread only, unless the row is about
/// threads.
package func byHandWorks() -> [Work] {
    chains() + subjects() + flattening() + combining() + subscribing() + loops() + alternatives() + composition()
}
