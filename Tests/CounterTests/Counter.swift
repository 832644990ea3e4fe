@testable import CounterSample

/// The sample's state, and not the counter of MoonlightTestSupport.
typealias Counter = CounterSample.Counter
