/// The times for which a process trusts its keys, in nanoseconds of its own clock.
///
///     asked to write the key                                                the servers remove the key
///     |---------- renewal ---------|---------- renewal ---------|... trust ...|      at the earliest
///     |<------------------------- life of the key, by the servers' clock -------------------------->|
///
/// The life of a key begins at the servers, after the request. An owner that counts from the request and stops after ``trust``
/// has therefore stopped before another one can begin, unless its clock is slower than theirs by more than the factor `trust /
/// keyLife`.
package struct RoutingTimes: Hashable, Sendable {
    /// The time for which the servers keep a key.
    package var keyLife: Int64
    /// The time for which an owner trusts a key after its request: three quarters of the key's life.
    package var trust: Int64 { keyLife / 4 * 3 }
    /// The interval of renewals.
    package var renewal: Int64 { keyLife / 4 }
    /// The interval at which a standby router looks for partitions without an owner.
    package var look: Int64 { keyLife / 2 }
    /// The interval at which everything is checked.
    package var tick: Int64 { keyLife / 20 }

    package init(keyLife: Int64) { self.keyLife = keyLife }
}
