/// An environment that may not leave its actor, as it is not Sendable, so that the loop stays there, too.
final class Surroundings {}
