/// An environment that is not Sendable, so that the loop is isolated to its actor.
final class Surroundings {}
