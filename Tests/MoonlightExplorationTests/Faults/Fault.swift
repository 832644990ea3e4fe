import MoonlightExploration
import MoonlightTesting
import Streams

/// A small program with a mistake that occurs in real programs, and the corrected program.
///
/// The files of this folder need no test framework: `.ci/plans-of-faults` compiles them together with the plans that their
/// explorations write. So that such a plan compiles in an extension of the fault, every name in `exploration(isMended:)` is a
/// member of the fault or of the module.
protocol Fault: Sendable {
    associatedtype State: Equatable
    associatedtype Event
    associatedtype Effect
    associatedtype World

    /// The property that the faulty program violates, as failures name it.
    static var property: String { get }
    /// The name of the shortest counterexample.
    static var trace: String { get }
    /// True if a plan can express the counterexample, which excludes `canAlways`, cycles, cancellations from outside and
    /// rejections.
    static var hasPlan: Bool { get }
    /// The fault of the written plan; empty if it fails with the fault, and passes with the corrected program.
    static var planMistake: String { get }
    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World>
}

extension Fault {
    static var hasPlan: Bool { true }
    static var planMistake: String { "" }
}

struct Unreachable: Error, Hashable {}

extension AnyPublisher {
    /// No effects.
    static var nothing: AnyPublisher { Empty().eraseToAnyPublisher() }
}

/// The faults, by kind.
enum Faults {
    static let all: [any Fault.Type] = [
        SearchWithoutJob.self, DetailsOfAnotherRow.self, PageOfAnotherFilter.self, SumOfAnOldState.self, CacheAfterNetwork.self,
        CheckOfAnOldName.self, OlderBalance.self,
        PayTwice.self, KeyBesideButton.self, FlagAfterAwait.self, SaveIgnored.self, RemovedByPlace.self,
        TransferBeyondBalance.self,
        UploadGoesOn.self, CancelledUnderAnotherID.self, PollingBehindAClosedScreen.self, JobUpstreamOfFlatMap.self,
        TransferCutInTwo.self, DoneAfterCancel.self,
        RetryBesideRetry.self, FailuresNotForgotten.self, RetriesWhatIsForbidden.self, WaitDoesNotGrow.self, ChunksTwice.self,
        TwoRefreshes.self, PageSkipped.self,
        RemovedRowComesBack.self, ReplacedChild.self, SheetStays.self, RowKnownByPlace.self, RemovedRowSelected.self,
        BadgeCountsTheDeparted.self, ProgressWhilePaused.self,
        TimerOfAnotherQuestion.self, TakenBackButSent.self, EndWithoutWarning.self, TwoCountdowns.self, TimeoutAfterAnswer.self,
        PollingWithoutEnd.self,
        TwoJobsOneID.self, TwoPoliciesOneID.self, FullQueue.self, LatestForWrites.self, CancelsItself.self,
        RuleForEachChange.self,
        ReactionToTooLittle.self,
        LikeNotTakenBack.self, RestoresTooMuch.self, TemporaryIDStays.self, ComesBackElsewhere.self, OutboxEmptiedTooEarly.self,
        SpinnerAfterError.self, SpinnerAfterNothing.self, SpinnersCounted.self, FlagOfTwo.self, SpinnerOfTheCancelled.self,
        SpinnerBeforeCache.self,
        LastKeyEaten.self, ThrottleWithoutEnd.self, LeftBeforeSaved.self, TypedBack.self, CleanTooEarly.self,
        RedoAfterEdit.self, CouponBlocksTheOrder.self, PermissionDeniedForGood.self, TwoForks.self, WizardStepBack.self,
    ]
}
