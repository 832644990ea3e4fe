"""Which tests know a source best: those are run first, and others only if they notice nothing."""

# The first that a path begins with counts. Of each, the filters that are tried in turn; all tests of the library and of
# what stands on it come after them.
AREAS = [
    ("Streams/Concurrency/", ["StreamsTests.Async|StreamsTests.IsolationTests|StreamsTests.ValuesTests"]),
    ("Streams/Isolation/", ["StreamsTests.(IsolationTests|MainActorWatch)", "MoonlightTests.(Isolation|TaskContext|HomeRelease)"]),
    ("Streams/Core/", ["StreamsTests.(CombineIdentifier|Completion|Demand|Sendable|Grammar|Subject|ReadyValues)"]),
    ("Streams/Erasure/", ["StreamsTests.(AnyCancellable|Erasure|ReadyValues|SingleValue|Sendable)", "StreamsTests.(Long|Depth)"]),
    ("Streams/Schedulers/", ["StreamsTests.(Clock|Dispatch|Immediate|TimeStride|VirtualTime|Timed|Time|Timer)", "StreamsTests.TakenBack"]),
    ("Streams/Limits/", ["StreamsTests.(Limited|Protected)"]),
    ("Streams/Sources/", ["StreamsTests.(ReadySource|ReadyValues|SingleValue|Source|Timer|Async|TypedError)"]),
    ("Streams/Subjects/", ["StreamsTests.(Subject|Share|Demand|Multicast|Cancellation)"]),
    ("Streams/Subscribers/", ["StreamsTests.(Sink|AnyCancellable|Cancellation|Grammar|Demand)"]),
    ("Streams/Operators/", [
        "StreamsTests.{name}", "StreamsTests.(Operator|Typed|Combin|Zip|Switch|Retry|Catch|Share|Flat)", "StreamsTests.Model"]),
    ("Streams/", [
        "StreamsTests.(Operator|Gate|Grammar|Demand|Cancellation|Release|Guard|Share|Switch|Combine|Zip|Merge)",
        "StreamsTests.Model"]),
    ("Moonlight/Composition/Children/", ["MoonlightTests.(IdentifiedList|Each|Leaving|Cost)"]),
    ("Moonlight/Composition/", [
        "MoonlightTests.(CasePath|Commit|Each|FiveLevel|Law|Leaving|Middleware|Optional|Refusal|Scoped|Cost)"]),
    ("Moonlight/Context/", ["MoonlightTests.(Settling|Stages|Job|Guarantee7|Rejection)"]),
    ("Moonlight/Jobs/", ["MoonlightTests.(Job|Settling)"]),
    ("Moonlight/Journal/StateComparison", ["MoonlightTests.StateChangeTests"]),
    ("Moonlight/Journal/", ["MoonlightTests.(Journal|StateChange)"]),
    ("Moonlight/Model/", ["MoonlightTests.(CasePath|Scoped|Job|Rejection|Refusal)", "MoonlightTests.(Each|Optional|Journal)"]),
    ("Moonlight/Reactions/", ["MoonlightTests.(Frames|Located|React|Run|Job)"]),
    ("Moonlight/Rules/", ["MoonlightTests.(RulePattern|Rule|ScopedRule|SlotPattern|Journal)"]),
    ("Moonlight/Slot/", ["MoonlightTests.(Slot|Status|UniFlow)"]),
    ("Moonlight/Store/", ["MoonlightTests.(Store|Settling|Inbox|Cancelling|ManyStores|StartForms)"]),
    ("Moonlight/Loop/Inbox", ["MoonlightTests.(Inbox|Settling|BusyLoops|Journal)"]),
    ("Moonlight/Loop/Effect", ["MoonlightTests.(Job|Settling)", "MoonlightTests.(Guarantee|Store|Run|Isolation)"]),
    ("Moonlight/Loop/", ["MoonlightTests.(Guarantee|Store|Settling|Runaway|Isolation|StartForms|LargeState|Journal|Cancelling|Inbox)"]),
    ("Moonlight/", ["MoonlightTests.(StartForms|Guarantee|Isolation|LargeState|Slot)"]),
    ("MoonlightTesting/", ["MoonlightTestingTests"]),
    ("MoonlightRecording/", ["MoonlightRecordingTests"]),
    ("MoonlightExploration/Pictures/", ["MoonlightExplorationTests.(ExplorationPicture|SmallParts)"]),
    ("MoonlightExploration/Plans/", ["MoonlightExplorationTests.(PlanSource|SwiftSource|CallOutcome)"]),
    ("MoonlightExploration/Threads/", ["MoonlightExplorationTests.(Crash|Progress|Limits|SmallParts|Cores)"]),
    ("MoonlightExploration/Search/", [
        "MoonlightExplorationTests.(Search|Steps|Limits|Moment|Value|Debt|Order|Crash|Feedback|Property|DeadEnd|SmallParts)"]),
    ("MoonlightExploration/", [
        "MoonlightExplorationTests.({name}|CallOutcome|DeadEnd|EnumCases|Exploration|Limits|Offer|Property|Scope|Search|SmallParts)"]),
    ("MoonFoundation/", ["MoonFoundationTests"]),
    ("MoonDecimalNumber/", ["MoonDecimalNumberTests|MoonFoundationTests"]),
]
# Tests that take long, since they count how far or how often: they come last.
SLOW = "DepthTests|StretchTests|GeneratedTests|ConcurrentTests|ModelTests|InterleavingTests|Guarantee1|JobRaces|millionRounds|manyRounds|manyReplaced|manyPlans|manyStores"
# What has notice of a library, in the order in which it is asked.
WHOLE = {
    "Streams": ["StreamsTests", "Moonlight|History|Download|Counter|Basket|Cars"],
    "Moonlight": ["MoonlightTests", "MoonlightTestingTests|History|Download|Counter|Basket|Cars"],
    "MoonlightTesting": ["MoonlightTestingTests", "Download|Counter|Basket|Cars"],
    "MoonlightRecording": ["MoonlightRecordingTests"],
    "MoonlightExploration": [
        "MoonlightExplorationTests", "(Basket|Cars|Counter|Download|History|Ledger|MoonlightDurability)Tests.*Exploration"],
    "MoonFoundation": ["MoonFoundationTests|MoonDecimalNumberTests", "Basket|Cars"],
}


def filters(mutation):
    """What to run for a mutation, from the nearest to the widest: filters, and what of them to skip."""
    name = mutation.file.split("/")[-1].removesuffix(".swift").split("+")[0]
    near = next(filters for path, filters in AREAS if mutation.file.startswith(path))
    all = [filter.format(name=name) for filter in near] + WHOLE[mutation.library]
    return [(filter, SLOW) for filter in dict.fromkeys(all)] + [(f"{mutation.library}Tests.*({SLOW})", None)]
