/// The times by which a process relies on its keys, in nanoseconds of its own clock.
///
///     asked to write the key                                                the servers remove the key
///     |---------- renewal ---------|---------- renewal ---------|... trust ...|      at the earliest
///     |<------------------------- life of the key, by the servers' clock -------------------------->|
///
/// The life of a key begins at the servers after it was asked for. So an owner that counts from when it asked, and stops after ``trust``, has
/// stopped before anybody else can begin, as long as its clock is not slower than theirs by the factor `trust / keyLife`.
package struct RoutingTimes: Hashable, Sendable {
    /// For how long the servers keep a key.
    package var keyLife: Int64
    /// For how long an owner relies on a key after it asked for it: three quarters of its life.
    package var trust: Int64 { keyLife / 4 * 3 }
    /// After how long a key is written again.
    package var renewal: Int64 { keyLife / 4 }
    /// After how long whoever stands by looks again for what nobody owns.
    package var look: Int64 { keyLife / 2 }
    /// The interval at which everything is checked.
    package var tick: Int64 { keyLife / 20 }

    package init(keyLife: Int64) { self.keyLife = keyLife }
}
